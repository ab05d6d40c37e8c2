//! Prints docs/cells.md, the handbook's page of the cells: `make book` makes it.

fn main() {
    print!("{}", frit_cells::handbook::page());
}
