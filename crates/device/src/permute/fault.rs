//! Deliberate faults of a streamed permutation: the hardware is built from a plan that is wrong in one place.

use frit_permute::Streamed;
use frit_permute::parts::{Address, Driver, Part};
use std::str::FromStr;

/// A deliberate fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PermuteFault {
    /// The settings of a column of switches, counted over all networks, are inverted.
    Setting(u32),
    /// The lowest bit of the addresses that are written is inverted: in data sets that take the second order, or, if addresses are stored,
    /// in all.
    Write,
    /// The lowest bit of the addresses that are read is inverted in data sets that take the first order.
    Read,
    /// All data sets take the first order of addresses.
    Page,
    /// Reading begins a beat early.
    Early,
}

/// Why there is no such fault.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PermuteFaultError {
    #[error(
        "--fault {0:?} is not a fault of a streamed system; give setting:COLUMN, write, read, page or early"
    )]
    Unknown(String),
    #[error("--fault setting:{given} has no place; the columns are 0 to {last}")]
    Column { given: u32, last: u32 },
    #[error("--fault {0} has no place in this design; give another fault, for example setting:0")]
    NoPlace(&'static str),
}

impl FromStr for PermuteFault {
    type Err = PermuteFaultError;

    fn from_str(text: &str) -> Result<Self, PermuteFaultError> {
        let unknown = || PermuteFaultError::Unknown(text.into());
        match text.split_once(':') {
            Some(("setting", column)) => Ok(PermuteFault::Setting(column.parse().map_err(|_| unknown())?)),
            None => match text {
                "write" => Ok(PermuteFault::Write),
                "read" => Ok(PermuteFault::Read),
                "page" => Ok(PermuteFault::Page),
                "early" => Ok(PermuteFault::Early),
                _ => Err(unknown()),
            },
            Some(_) => Err(unknown()),
        }
    }
}

impl std::fmt::Display for PermuteFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            PermuteFault::Setting(column) => write!(f, "{}:{column}", self.word()),
            _ => f.write_str(self.word()),
        }
    }
}

impl PermuteFault {
    /// The words with which faults begin.
    pub const WORDS: [&str; 5] = ["setting", "write", "read", "page", "early"];

    /// The word with which it begins, as it is written.
    pub fn word(self) -> &'static str {
        let at = match self {
            PermuteFault::Setting(_) => 0,
            PermuteFault::Write => 1,
            PermuteFault::Read => 2,
            PermuteFault::Page => 3,
            PermuteFault::Early => 4,
        };
        Self::WORDS[at]
    }

    /// All faults with this word for which a plan has a place; none of a word that is no fault's.
    pub fn all(word: &str, plan: &Streamed) -> Vec<PermuteFault> {
        let faults: Vec<_> = match word {
            "setting" => (0..plan.columns()).map(PermuteFault::Setting).collect(),
            other => other.parse().into_iter().collect(),
        };
        faults.into_iter().filter(|fault| fault.planted(plan).is_ok()).collect()
    }

    /// The plan with this fault.
    ///
    /// # Errors
    ///
    /// If it has no place there.
    pub fn planted(self, plan: &Streamed) -> Result<Streamed, PermuteFaultError> {
        let mut plan = plan.clone();
        match self {
            PermuteFault::Setting(column) => setting(&mut plan, column)?,
            PermuteFault::Write => {
                let orders = &mut bank(&mut plan).orders;
                let stored = matches!(orders[0].write, Address::Table { .. });
                let order =
                    orders.get_mut(usize::from(!stored)).ok_or(PermuteFaultError::NoPlace("write"))?;
                invert(&mut order.write, "write")?;
            }
            PermuteFault::Read => invert(&mut bank(&mut plan).orders[0].read, "read")?,
            PermuteFault::Page => {
                let orders = &mut bank(&mut plan).orders;
                if orders.len() == 1 {
                    return Err(PermuteFaultError::NoPlace("page"));
                }
                let first = orders[0].clone();
                orders.iter_mut().for_each(|order| *order = first.clone());
            }
            PermuteFault::Early => {
                let wait = &mut bank(&mut plan).wait;
                *wait = wait.checked_sub(1).ok_or(PermuteFaultError::NoPlace("early"))?;
            }
        }
        Ok(plan)
    }
}

fn bank(plan: &mut Streamed) -> &mut frit_permute::parts::Temporal {
    let memory = plan.parts.iter_mut().find_map(|part| match part {
        Part::Temporal(memory) => Some(memory),
        Part::Spatial(_) => None,
    });
    memory.expect("a streamed permutation has memories")
}

fn setting(plan: &mut Streamed, column: u32) -> Result<(), PermuteFaultError> {
    let columns = plan.columns();
    if columns == 0 {
        return Err(PermuteFaultError::NoPlace("setting"));
    }
    let drivers = plan.parts.iter_mut().flat_map(|part| match part {
        Part::Spatial(network) => network.drivers.iter_mut().collect::<Vec<_>>(),
        Part::Temporal(_) => Vec::new(),
    });
    let driver = drivers.into_iter().nth(column as usize);
    match driver.ok_or(PermuteFaultError::Column { given: column, last: columns - 1 })? {
        Driver::Stage(bit) => bit.flip = !bit.flip,
        Driver::Table(table) => table.iter_mut().flatten().for_each(|state| {
            *state = frit_network::SwitchState::from_bit(!state.bit());
        }),
    }
    Ok(())
}

/// Inverts the lowest bit of an address.
fn invert(address: &mut Address, name: &'static str) -> Result<(), PermuteFaultError> {
    match address {
        Address::Linear(rows) => {
            let (bit, _) = rows.first_mut().ok_or(PermuteFaultError::NoPlace(name))?;
            bit.flip = !bit.flip;
        }
        Address::Table { table, .. } => table.iter_mut().for_each(|address| *address ^= 1),
        // A digit that is not xored with its lane, or the other way.
        Address::Skewed { skewed, .. } => *skewed = !*skewed,
    }
    Ok(())
}
