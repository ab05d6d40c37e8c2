//! What a plan is called: its name, that of its design, and the arguments that give it again.

use crate::plan::{CUSTOM, Plan, Variant};
use frit_network::options::{OptionSpec, Request, Values};
use frit_network::{LaneIdx, RoundIdx, StageIdx, SwitchIdx};
use frit_traffic::fnv::Fnv32;

/// What the name of a design says of an option: its value, `no_conflict`, `radix4` or `pipeline2` where that alone says nothing.
fn variant_name(spec: &OptionSpec, value: &str) -> String {
    match value {
        "no" => format!("no_{}", module_name(spec.name)),
        "yes" => module_name(spec.name),
        _ if spec.values == Values::Stuck => format!("{}_{}", module_name(spec.name), module_name(value)),
        _ if matches!(spec.values, Values::Number { .. }) || value.parse::<u64>().is_ok() => {
            format!("{}{value}", module_name(spec.name))
        }
        _ => module_name(value),
    }
}

impl Plan {
    /// The name of the design without its width, fit for a Verilog module: `gsen_ata2_n10`.
    pub fn name(&self) -> String {
        let variants: String =
            self.differing().map(|(spec, value)| format!("_{}", variant_name(spec, value))).collect();
        format!("{}{variants}_n{}", module_name(self.system), self.served())
    }

    /// The options whose values are not the defaults, with their values.
    fn differing(&self) -> impl Iterator<Item = (&OptionSpec, &str)> {
        self.specs.iter().filter_map(|spec| {
            let value = self.options.get(spec.name)?;
            (spec.values.default().as_deref() != Some(value.as_str())).then_some((spec, value.as_str()))
        })
    }

    /// The name of the design for words of `width_bits` bits: `gsen_ata2_n10_w8`. All that changes the text of its modules
    /// is part of it: of what comes from files, 32 bits of a digest.
    pub fn design_name(&self, width_bits: u32) -> String {
        let content = self.content_digest().map(|digest| format!("_x{digest:08x}")).unwrap_or_default();
        let own = format!("{}_w{width_bits}{content}", self.name());
        Variant::design_name(self.variant.as_ref(), own)
    }

    /// FNV-1a over wires, switches and destinations of all rounds, if some of it came from a file.
    fn content_digest(&self) -> Option<u32> {
        let custom = self.options.values().any(|value| value.as_str() == CUSTOM);
        if !custom && !self.specs.iter().any(|spec| spec.values == Values::File) {
            return None;
        }
        let network = &self.network;
        let columns = network.links().iter().flatten().copied();
        let rounds = RoundIdx::all(self.rounds).flat_map(|round| {
            let lanes = LaneIdx::all(network.lanes()).map(move |lane| self.destination(round, lane).0);
            let states = (0..self.hops()).flat_map(move |stage| {
                let switches = (0..network.switches_per_stage()).map(SwitchIdx);
                switches.map(move |switch| self.stage_state(round, StageIdx(stage), switch))
            });
            lanes.chain(states.map(|state| state.map_or(2, |state| u32::from(state.bit()))))
        });
        Some(Fnv32::of_words(columns.chain(network.group_sizes().iter().copied()).chain(rounds)))
    }

    /// The arguments that give this plan again: `gsen -n 10 --set algorithm=ata2`. Defaults are left out.
    pub fn arguments(&self) -> String {
        // What the user brought comes from files, and a network brings its size.
        let files = self.specs.iter().filter(|spec| spec.values == Values::File);
        let files: String = files.map(|spec| format!(" --{} FILE", spec.name)).collect();
        let options: String = self
            .differing()
            .filter(|(spec, _)| spec.values != Values::File)
            .map(|(spec, value)| match value {
                CUSTOM => format!(" --{} FILE", spec.name),
                _ => format!(" --set {}={value}", spec.name),
            })
            .collect();
        if !files.is_empty() {
            return format!("{}{files}{options}", self.system);
        }
        format!("{} -n {}{options}", self.system, self.served())
    }

    /// The command that gives the design again, without a folder: `frit generate gsen -n 10 -w 8`.
    pub fn command(&self, width_bits: u32) -> String {
        let variant = self.variant.as_ref().map_or("", |variant| &variant.arguments);
        format!("frit generate {} -w {width_bits}{variant}", self.arguments())
    }

    /// The request that gives this plan again (one with a sequence of the user's takes that sequence besides).
    pub fn request(&self) -> Request {
        Request {
            system: self.system.into(),
            terminals: self.served().into(),
            options: self.options.iter().map(|(key, value)| (key.clone(), value.to_string())).collect(),
        }
    }
}

/// A name as part of the name of a Verilog module: lower-case letters, digits and single underscores.
fn module_name(name: &str) -> String {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let name = words.collect::<Vec<_>>().join("_").to_ascii_lowercase();
    if name.is_empty() { "network".into() } else { name }
}

#[cfg(test)]
mod tests {
    use super::module_name;

    #[test]
    fn names_are_fit_for_a_module() {
        assert_eq!(["Omega 8", "my--net/2", "é"].map(module_name), ["omega_8", "my_net_2", "network"]);
    }
}
