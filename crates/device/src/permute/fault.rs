//! Deliberate faults of a streamed permutation: the hardware is built from a plan that is wrong in one place.

use frit_cells::fault::{FaultTable, Planted, row};
use frit_network::SwitchState;
use frit_permute::Streamed;
use frit_permute::parts::{Address, Driver, Part, Temporal};

pub static STREAMED: FaultTable<Streamed> = FaultTable {
    core: "a streamed system",
    rows: &[
        row(
            "setting:COLUMN",
            "the settings of a column of switches, counted over all networks, are inverted",
            |plan, [column, ..]| setting(plan, column),
        ),
        row(
            "write",
            "the lowest bit of the addresses that are written is inverted: in data sets that take the second order, or, if addresses are \
             stored, in all",
            |plan, _| {
                let orders = &mut bank(plan).orders;
                let stored = matches!(orders[0].write, Address::Table { .. });
                let order = orders.get_mut(usize::from(!stored)).ok_or("no data set takes a second order")?;
                invert(&mut order.write)
            },
        ),
        row(
            "read",
            "the lowest bit of the addresses that are read is inverted in data sets that take the first order",
            |plan, _| invert(&mut bank(plan).orders[0].read),
        ),
        row("page", "all data sets take the first order of addresses", |plan, _| {
            match bank(plan).orders.as_mut_slice() {
                [_] => Err("all data sets take one order".into()),
                [first, others @ ..] => {
                    others.fill(first.clone());
                    Ok(())
                }
                [] => Err("it has no order".into()),
            }
        }),
        row("early", "reading begins a beat early", |plan, _| {
            let wait = &mut bank(plan).wait;
            *wait = wait.checked_sub(1).ok_or("reading begins with the first beat")?;
            Ok(())
        }),
    ],
};

fn bank(plan: &mut Streamed) -> &mut Temporal {
    let memory = plan.parts.iter_mut().find_map(|part| match part {
        Part::Temporal(memory) => Some(memory),
        Part::Spatial(_) => None,
    });
    memory.expect("a streamed permutation has memories")
}

fn setting(plan: &mut Streamed, column: u32) -> Planted {
    let last = plan.columns().checked_sub(1).ok_or("it has no switches")?;
    let drivers = plan.parts.iter_mut().flat_map(|part| match part {
        Part::Spatial(network) => network.drivers.iter_mut().collect::<Vec<_>>(),
        Part::Temporal(_) => Vec::new(),
    });
    let driver = drivers.into_iter().nth(column as usize);
    match driver.ok_or_else(|| format!("the columns are 0 to {last}"))? {
        Driver::Stage(bit) => bit.flip = !bit.flip,
        Driver::Table(table) | Driver::Digit(_, table) => {
            table.iter_mut().flatten().for_each(|state| *state = SwitchState::from_bit(!state.bit()));
        }
    }
    Ok(())
}

/// Inverts the lowest bit of an address.
fn invert(address: &mut Address) -> Planted {
    match address {
        Address::Linear(rows) => {
            let (bit, _) = rows.first_mut().ok_or("its addresses have no bits")?;
            bit.flip = !bit.flip;
        }
        Address::Table { table, .. } => table.iter_mut().for_each(|address| *address ^= 1),
        // The lane leaves the digit as it is where it should change it, or changes it where it should not.
        Address::Skewed { skewed, .. } => *skewed = !*skewed,
    }
    Ok(())
}
