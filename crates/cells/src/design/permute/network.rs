//! A switching network of a streamed permutation: columns of switches with their settings.

use super::{Core, Counted, Stage};
use crate::cells::{LinearMapSpec, RomSpec, TurnSwitchSpec};
use crate::netlist::{Expr, Instance, Net, Of, Part};
use frit_network::SwitchState;
use frit_permute::parts::{Driver, Spatial};

impl Core<'_> {
    /// The columns of a network, each a register deep. The beat is counted `late` cycles before it comes.
    pub(super) fn network(
        &mut self,
        tag: &str,
        network: &Spatial,
        counted: Option<&Counted>,
        late: u32,
        stage: Stage,
    ) -> Stage {
        if network.stages() == 0 {
            return Stage { data: wired(&network.links[0], stage.data), ..stage };
        }
        let counted = counted.expect("a network with switches has a count");
        let states = self.states(tag, network, counted);
        self.columns(tag, network, states, late, stage)
    }

    /// The columns of a network whose states are known. A word comes `late` cycles after the states that it finds in the first column.
    pub(super) fn columns(
        &mut self,
        tag: &str,
        network: &Spatial,
        states: Vec<State>,
        late: u32,
        stage: Stage,
    ) -> Stage {
        let mut data = wired(&network.links[0], stage.data);
        let mut valid = stage.valid;
        for (column, (state, link)) in states.into_iter().zip(&network.links[1..]).enumerate() {
            let bits = network.drivers[column].bits();
            let name = format!("{tag}_state_{column}");
            let later = self.delayed(&name, bits, state.expr(), column as u32 + late);
            let state = later.map_or(state, |word| State { word, bit: None });
            self.module.heading(format!("Column {column} of the part {tag}."));
            // Of a network with more lanes than words, nobody looks at the lanes behind them.
            let seen = |port: usize| column + 1 < network.drivers.len() || link[port] < self.plan.lanes;
            let seen: Vec<bool> = (0..data.len()).map(seen).collect();
            let words: Vec<Option<Net>> = (0..data.len())
                .map(|port| seen[port].then(|| self.wire(format!("{tag}_data_{column}_{port}"), self.width)))
                .collect();
            for (switch, pair) in data.chunks_exact(2).enumerate() {
                let bit = if bits == 1 { 0 } else { switch as u32 };
                let lane = 2 * switch;
                let instance = Instance::new(
                    format!("u_{tag}_{column}_{switch}"),
                    Of::cell(TurnSwitchSpec { width: self.width }),
                )
                .input("clk_i", self.clk)
                .input("state_i", bit_of(&state, bits, bit))
                .input("data0_i", pair[0].clone())
                .input("data1_i", pair[1].clone())
                .outputs("data0_o", vec![words[lane]])
                .outputs("data1_o", vec![words[lane + 1]]);
                self.module.instances.push(instance);
            }
            valid = self.delay(&format!("{tag}_valid_{column}"), 1, valid.into());
            let nothing = || Expr::constant(0, self.width);
            let words = words.into_iter().map(|word| word.map_or_else(nothing, Expr::from)).collect();
            data = wired(link, words);
        }
        Stage { valid, data }
    }

    /// The states of each column for the beat that is counted.
    fn states(&mut self, tag: &str, network: &Spatial, counted: &Counted) -> Vec<State> {
        let count = &network.count;
        let rows: Option<Vec<(u64, bool)>> = network
            .drivers
            .iter()
            .map(|driver| match driver {
                Driver::Stage(bit) => Some((bit.mask, bit.flip)),
                Driver::Table(_) | Driver::Digit(..) => None,
            })
            .collect();
        let Some(rows) = rows else { return self.stored_states(tag, network, counted) };
        let columns = rows.len() as u32;
        let start = rows.iter().rev().fold(0, |word, &(_, flip)| word << 1 | u64::from(flip));
        let spec = LinearMapSpec { name: tag.into(), bits: count.bits(), turn_bits: 0, maps: vec![rows] };
        let ahead = self.wire(format!("{tag}_states_ahead"), columns);
        self.module.instances.push(
            Instance::new(format!("u_{tag}_map"), Of::cell(spec))
                .input("place_i", Expr::Concat(counted.place()))
                .output("word_o", ahead),
        );
        let word = self.register(&format!("{tag}_states"), columns, start, counted.step, ahead.into());
        (0..columns).map(|column| State { word, bit: (columns > 1).then_some(column) }).collect()
    }

    fn stored_states(&mut self, tag: &str, network: &Spatial, counted: &Counted) -> Vec<State> {
        let mut states = Vec::new();
        for (column, driver) in network.drivers.iter().enumerate() {
            let (table, bits, place) = match driver {
                Driver::Table(table) => (table, network.count.bits(), counted.place()),
                Driver::Digit(digit, table) => {
                    let own = counted.digits[*digit].expect("a digit that is looked at");
                    (table, network.count.digit_bits()[*digit], vec![own.into()])
                }
                Driver::Stage(_) => unreachable!("all columns are driven alike"),
            };
            let words: Vec<u64> = table.iter().map(|row| word_of(row)).collect();
            let width = table[0].len() as u32;
            let start = words[0];
            let name = format!("{tag}_state_{column}_ahead");
            let ahead = self.rom(&name, bits, width, words, place);
            let register = format!("{tag}_stored_{column}");
            let word = self.register(&register, width, start, counted.step, ahead.into());
            states.push(State { word, bit: None });
        }
        states
    }

    /// A table over a count of `bits` bits.
    pub(super) fn rom(
        &mut self,
        name: &str,
        bits: u32,
        width: u32,
        words: Vec<u64>,
        place: Vec<Part>,
    ) -> Net {
        let to = self.wire(name.into(), width);
        let spec = RomSpec { name: name.into(), bits, width, words };
        self.module.instances.push(
            Instance::new(format!("u_{name}"), Of::cell(spec))
                .input("round_i", Expr::Concat(place))
                .output("word_o", to),
        );
        to
    }
}

/// The state of a column: a word, or a bit of one.
#[derive(Clone, Copy)]
pub(super) struct State {
    pub word: Net,
    pub bit: Option<u32>,
}

impl State {
    fn expr(self) -> Expr {
        match self.bit {
            None => self.word.into(),
            Some(bit) => {
                Expr::Concat(vec![Part::Net { net: self.word, bits: Some((bit, bit)), invert: false }])
            }
        }
    }
}

/// The state of one switch, of a word of `bits` bits.
fn bit_of(state: &State, bits: u32, bit: u32) -> Expr {
    if bits == 1 { state.expr() } else { State { bit: Some(bit), ..*state }.expr() }
}

fn word_of(row: &[SwitchState]) -> u64 {
    row.iter().rev().fold(0, |word, state| word << 1 | u64::from(state.bit()))
}

/// Lanes behind a link column.
fn wired(link: &[u32], data: Vec<Expr>) -> Vec<Expr> {
    let mut behind = data.clone();
    for (word, &to) in data.into_iter().zip(link) {
        behind[to as usize] = word;
    }
    behind
}
