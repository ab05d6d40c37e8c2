//! Prints every cell.
fn main() {
    for spec in frit_cells::spec::CellSpec::all() {
        let cell = spec.prototype();
        println!("{}", frit_cells::printer::print(&spec.module(), &[spec.summary().to_string()], &*cell));
    }
}
