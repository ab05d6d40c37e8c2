//! The testbench of a design with its tables, file lists and Makefile.

use crate::template::{context, fill};
use crate::trials::Trials;
use crate::{Files, memh};
use frit_cells::printer::assertions::MACRO;
use frit_network::{Refusal, StageIdx, refuse};
use frit_schedule::ControlInputs;
use frit_schedule::plan::Plan;
use frit_schedule::timeline::{FIRST_EDGE_NS, PERIOD_NS, Timeline};
use frit_traffic::payload::{MAX_WIDTH, Payload};
use serde::Serialize;

/// What the templates are filled with.
#[derive(Serialize)]
struct ExchangeValues<'a> {
    design: &'a str,
    tb: &'a str,
    command: &'a str,
    /// The module that the testbench is around.
    top: String,
    title: &'a str,
    source: &'a str,
    terminals: u32,
    lanes_per_terminal: u32,
    address_bits: u32,
    width_bits: u32,
    stages: u32,
    switches_per_stage: u32,
    rounds: u32,
    hops: u32,
    due_pairs: u64,
    /// Whether terminals behind the first `served` are spare.
    padded: bool,
    served: u32,
    entry_delay: u32,
    pipeline: u32,
    /// The group of each stage, the last stage first, if a group has several.
    groups: Option<String>,
    /// Cycles of a window and stages of the first pass, both 0 if every message passes the network once.
    window: u32,
    first_pass: u32,
    rhythm: String,
    latency: u32,
    last_cycle: u64,
    /// Cycles from an exchange to the next without a gap.
    period: u64,
    joins_late: bool,
    /// Exchanges that can be under way at a time.
    flights: u64,
    reset_periods: u64,
    prepare_runs: u32,
    first_edge_ns: u64,
    half_period_ns: u64,
    control: &'static str,
    /// Rows of the payload whose words are all equal.
    equal_rows: usize,
    #[serde(flatten)]
    trials: Trials,
}

#[derive(Serialize)]
pub(crate) struct FileList<'a> {
    pub what: &'a str,
    pub command: &'a str,
    pub files: Vec<&'a str>,
    /// The macro that turns the checks of cells on.
    pub checks: Option<&'a str>,
}

impl FileList<'_> {
    pub fn render(&self) -> String {
        fill(include_str!("../testbench/files.f.tera"), &context(self))
    }
}

/// The file lists of a module to instantiate, without and with its testbench, which turns the checks of cells on.
pub(crate) fn lists(list: &str, command: &str, rtl_files: &[String]) -> Files {
    lists_with(list, command, rtl_files, true)
}

/// The file lists, with or without the checks: they do not see a reset that is still on its way to the cells.
pub(crate) fn lists_with(list: &str, command: &str, rtl_files: &[String], checks: bool) -> Files {
    let tb = format!("tb_{list}.sv");
    let of = |what: String, last: Option<&str>| {
        let files = rtl_files.iter().map(String::as_str).chain(last).collect();
        FileList { what: &what, command, files, checks: last.filter(|_| checks).map(|_| MACRO) }.render()
    };
    vec![
        (format!("{list}.f"), of(format!("The files of {list}"), None)),
        (format!("{list}_tb.f"), of(format!("The files of tb_{list}"), Some(&tb))),
    ]
}

/// The testbench side of the design of `plan` with words of `width_bits` bits: `tb_D.sv`, its three `.memh` tables,
/// the file lists `D.f` (without testbench) and `D_tb.f`, and the `Makefile`. `rtl_files` are the names of the
/// design's own files in the order in which tools should read them.
pub fn render(
    plan: &Plan,
    width_bits: u32,
    payload: &Payload,
    rtl_files: &[String],
) -> Result<Files, Refusal> {
    check(plan, width_bits, payload)?;
    let name = plan.design_name(width_bits);
    let tb = format!("tb_{name}");
    let command = plan.command(width_bits);
    let values = context(&design(plan, payload, &name, &tb, &command));
    let mut files = vec![
        (format!("{tb}.sv"), fill(include_str!("../testbench/tb.sv.tera"), &values)),
        (format!("{name}_payload.memh"), memh::payload(&name, payload)),
        (format!("{name}_schedule.memh"), memh::schedule(&name, plan)),
        (format!("{name}_settings.memh"), memh::settings(&name, plan)?),
    ];
    files.extend(lists(&name, &command, rtl_files));
    files.push(("Makefile".into(), fill(include_str!("../testbench/Makefile.tera"), &values)));
    Ok(files)
}

fn check(plan: &Plan, width_bits: u32, payload: &Payload) -> Result<(), Refusal> {
    let terminals = plan.network.terminals();
    if !(1..=MAX_WIDTH).contains(&width_bits) {
        refuse!("words of {width_bits} bits are not possible; give a width from 1 to {MAX_WIDTH}");
    }
    if (payload.terminals(), payload.width_bits()) != (terminals, width_bits) {
        let (given_terminals, given_bits) = (payload.terminals(), payload.width_bits());
        refuse!(
            "the payload has {given_terminals} x {given_terminals} words of {given_bits} bits, expected {terminals} x {terminals} words of {width_bits} bits"
        );
    }
    Ok(())
}

fn design<'a>(
    plan: &Plan,
    payload: &Payload,
    design: &'a str,
    tb: &'a str,
    command: &'a str,
) -> ExchangeValues<'a> {
    let width_bits = payload.width_bits();
    let timeline = Timeline::new(plan, width_bits);
    ExchangeValues {
        design,
        tb,
        command,
        top: format!("{design}_exchange"),
        title: title(plan),
        source: plan.figures.source,
        terminals: plan.network.terminals(),
        lanes_per_terminal: plan.lanes_per_terminal(),
        address_bits: plan.address_bits(),
        width_bits,
        stages: plan.network.stages(),
        switches_per_stage: plan.network.switches_per_stage(),
        rounds: plan.rounds,
        hops: plan.hops(),
        due_pairs: plan.pairs_due(),
        padded: plan.has_spare(),
        served: plan.served(),
        entry_delay: plan.entry_delay,
        pipeline: plan.pipeline,
        groups: groups(plan),
        window: plan.second_pass.map_or(0, |second| second.window()),
        first_pass: plan.second_pass.map_or(0, |second| second.after),
        rhythm: plan.rhythm(),
        latency: plan.latency(),
        last_cycle: timeline.exchange_cycles,
        period: timeline.exchange_period,
        joins_late: plan.joins_late(1),
        flights: timeline.exchange_cycles / timeline.exchange_period + 1,
        reset_periods: timeline.reset,
        prepare_runs: timeline.prepare_runs,
        first_edge_ns: FIRST_EDGE_NS,
        half_period_ns: PERIOD_NS / 2,
        control: control(plan),
        equal_rows: equal_rows(payload),
        trials: Trials::new(plan, timeline.exchange_cycles),
    }
}

fn groups(plan: &Plan) -> Option<String> {
    let network = &plan.network;
    let of = |stage| format!("32'd{}", network.group_of(StageIdx(stage)));
    network.is_grouped().then(|| (0..network.stages()).rev().map(of).collect::<Vec<_>>().join(", "))
}

/// Rows whose words are all equal.
fn equal_rows(payload: &Payload) -> usize {
    let terminals = payload.terminals();
    let equal = |row: &u32| (1..terminals).all(|column| payload.word(*row, column) == payload.word(*row, 0));
    (0..terminals).filter(equal).count()
}

/// What the template calls the control inputs of the fabric.
fn control(plan: &Plan) -> &'static str {
    match plan.control_inputs() {
        ControlInputs::Switches { .. } => "switches",
        ControlInputs::Stages { .. } => "stages",
        ControlInputs::Parities { .. } => "stages_odd",
        ControlInputs::Shared => "shared",
    }
}

/// What the system is called.
pub(crate) fn title(plan: &Plan) -> &'static str {
    frit_schedule::system(plan.system).map_or(plan.system, |system| system.row.title)
}

#[cfg(test)]
mod tests {
    use super::*;
    use frit_schedule::{Request, plan};

    fn rls(terminals: u64) -> Plan {
        plan(&Request::new("rls", terminals)).unwrap()
    }

    #[test]
    fn files_in_order_and_the_same_each_time() {
        let rtl: Vec<String> = ["a.v", "b.v"].map(String::from).into();
        let files = || render(&rls(4), 9, &Payload::random(4, 9, 1), &rtl).unwrap();
        let names: Vec<String> = files().into_iter().map(|(name, _)| name).collect();
        assert_eq!(
            names,
            [
                "tb_rls_n4_w9.sv",
                "rls_n4_w9_payload.memh",
                "rls_n4_w9_schedule.memh",
                "rls_n4_w9_settings.memh",
                "rls_n4_w9.f",
                "rls_n4_w9_tb.f",
                "Makefile",
            ]
        );
        assert_eq!(files(), files());
        let list = |at: usize| -> Vec<String> {
            let text = &files()[at].1;
            text.lines().filter(|line| !line.starts_with("//")).map(String::from).collect()
        };
        assert_eq!(list(4), ["a.v", "b.v"]);
        assert_eq!(list(5), [&format!("+define+{MACRO}"), "a.v", "b.v", "tb_rls_n4_w9.sv"]);
    }

    #[test]
    fn what_does_not_fit_is_refused_with_what_is_allowed() {
        let error = |width, payload: &Payload| render(&rls(4), width, payload, &[]).unwrap_err().to_string();
        assert_eq!(
            error(0, &Payload::zero(4, 1)),
            "words of 0 bits are not possible; give a width from 1 to 1024"
        );
        assert_eq!(
            error(1025, &Payload::zero(4, 1)),
            "words of 1025 bits are not possible; give a width from 1 to 1024"
        );
        assert_eq!(
            error(8, &Payload::zero(8, 9)),
            "the payload has 8 x 8 words of 9 bits, expected 4 x 4 words of 8 bits"
        );
    }

    #[test]
    fn no_line_of_the_testbench_is_longer_than_it_should_be() {
        let ata2 = plan(&Request::new("gsen", 34).with("algorithm", "ata2")).unwrap();
        let files = render(&ata2, 1, &Payload::zero(34, 1), &[]).unwrap();
        let long: Vec<&str> = files[0].1.lines().filter(|line| line.len() > 115).collect();
        assert!(long.is_empty() && files[0].1.is_ascii(), "{long:#?}");
    }
}
