//! What is said of a plan, in one order for all outputs.

use crate::plan::Plan;
use crate::timeline::Timeline;
use frit_network::facts;
use frit_network::facts::Facts;

impl Plan {
    /// The facts of a plan with words of `width` bits: summaries, comparisons, datasheets, the page in a browser and Python's attributes
    /// take theirs from here. Cycles are those of the schedule; where the model ran, those of the run take their place.
    pub fn facts(&self, width: Option<u32>) -> Facts {
        let (network, figures, cycles) = (&self.network, &self.figures, self.cycles());
        let timeline = Timeline::new(self, width.unwrap_or(1));
        let (count, parts) = self.stage_parts();
        let mut facts = facts! {
            "name": self.name(), "system": self.system, "options": self.options, "terminals": self.served(), "width": width,
            "network": network.name(), "lanes": network.lanes(), "lanes_per_terminal": self.lanes_per_terminal(),
            "address_bits": self.address_bits(), "stages": network.stages(), "hops": self.hops(),
            "stage": format!("{count} {parts}"), "switches": network.switches(), "wires": self.wires(),
            "drivers": figures.drivers, "stored_bits": figures.stored_bits, "label_bits": figures.label_bits,
            "buffer_words": figures.buffer_words, "reset_cycles": timeline.reset, "latency": self.latency(),
            "rounds": self.rounds, "rhythm": self.rhythm(), "phases": self.phases.count(), "runs": width.map(|_| timeline.runs()),
            "exchanges": self.exchanges, "exchange_cycles": timeline.exchange_cycles, "period": timeline.exchange_period,
            "cycles": cycles, "cycles_total": self.cycles_in_all(cycles), "cycles_paper": figures.cycles_paper,
            "cycles_lower_bound": figures.cycles_lower_bound, "bound_reason": figures.bound_reason, "source": figures.source,
        };
        if network.is_grouped() {
            facts.insert("groups".into(), network.groups().into());
        }
        if self.has_spare() {
            facts.insert("spare".into(), (network.terminals() - self.served()).into());
        }
        facts
    }
}
