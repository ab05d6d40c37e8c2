use super::*;
use crate::routed::{self, Config};
use crate::simulator::WaveKind;
use crate::tools::ToolPath;
use crate::verify::State;
use frit_cells::design::dilated::Hardware;
use frit_cells::netlist::print::Style;
use frit_cells::netlist::{Expr, Net, Netlist, Part};
use frit_model::dilated::trace;
use frit_router::dilated::packets::permutations;
use frit_router::dilated::{Mode, Packets, Parameters};
use frit_schedule::timeline::{FIRST_EDGE_NS, PERIOD_NS};
use std::collections::BTreeMap;
use std::time::Duration;

/// The hardware with switches that show a 1 on edges where nothing is offered: no worm notices.
fn shows_ones(hardware: &Hardware) -> Netlist {
    let mut netlist = hardware.netlist();
    let module = netlist.modules.iter_mut().find(|module| module.name.ends_with("_switch")).unwrap();
    let of = |name: &str| -> BTreeMap<u32, Net> {
        let nets = module.assigns.iter().map(|(net, _)| *net);
        nets.filter(|net| module.signal(net.signal).name == name).map(|net| (net.lane, net)).collect()
    };
    let (bits, valid) = (of("out_bit"), of("out_valid"));
    assert_eq!((bits.len(), valid.len()), (2 * hardware.bundle() as usize, bits.len()));
    for (net, expr) in &mut module.assigns {
        if let (Expr::Any(parts), Some(_)) = (expr, bits.get(&net.lane).filter(|bit| *bit == net)) {
            parts.push(Part::Net { net: valid[&net.lane], bits: None, invert: true });
        }
    }
    netlist
}

#[test]
fn a_waveform_that_differs_alone_fails() {
    let parameters = Parameters { payload: 5, ..Parameters::new(4, 2, 1) };
    let packets = Packets::new(parameters, &permutations(4, 2, 1)).unwrap();
    let (dir, tools) = (tempfile::tempdir().unwrap(), ToolPath::from_environment());
    let verify = |wave: Option<WaveKind>, netlist: fn(&Hardware) -> Netlist| {
        let hardware = Hardware::new(&packets).unwrap();
        let mut design =
            DilatedDevice::new(&packets, hardware, Style::Unrolled, None, "a test".into()).unwrap();
        design.netlist = netlist(&design.hardware);
        let config = Config {
            engines: &[Engine::RustHdl, Engine::Icarus],
            folder: dir.path(),
            wave,
            netlist: None,
            tools: &tools,
            progress: &|_, _| (),
        };
        routed::verify(&design, &config, Duration::ZERO).unwrap()
    };
    assert!(verify(Some(WaveKind::Vcd), Hardware::netlist).agrees());
    // Every event is right.
    assert!(verify(None, shows_ones).agrees());
    let report = verify(Some(WaveKind::Vcd), shows_ones);
    assert!(!report.agrees());
    let mut failed = 0;
    for found in &report.engines {
        if let State::Ran { first_difference: Some(first), .. } = &found.state {
            let shown = (first.cycle, first.expected.as_str(), first.got.as_str());
            assert_eq!(shown, (0, "0x0000", "0xffff"), "{first:?}");
            assert!(first.signal.ends_with("u_route.sink_bit_o"), "{first:?}");
            failed += 1;
        }
    }
    let icarus =
        report.engines.iter().any(|found| found.engine == Engine::Icarus && found.agrees().is_some());
    assert_eq!(failed, 1 + usize::from(icarus));
}

/// Before the run, in both passes, and between them.
#[test]
fn a_difference_stands_in_its_step() {
    let parameters = Parameters { mode: Mode::Barrier, payload: 3, ..Parameters::new(4, 4, 1) };
    let packets = Packets::new(parameters, &permutations(4, 2, 1)).unwrap();
    let (expected, hardware) = (trace(&packets), Hardware::new(&packets).unwrap());
    let second = u64::from(expected.second.unwrap());
    let dir = tempfile::tempdir().unwrap();
    let [a, b] = ["a.vcd", "b.vcd"].map(|name| dir.path().join(name));
    write_dilated_wave(&a, &packets, &hardware).unwrap();
    assert_eq!(compare::of_waves(&expected, &a, &a).unwrap(), None);
    let text = std::fs::read_to_string(&a).unwrap();
    let declared = text.lines().find(|line| line.contains(" stuck_o ")).unwrap();
    let id = declared.split_whitespace().nth(3).unwrap();
    // Step 0 is the sixth period.
    for (period, step) in [
        (3, 0),
        (5, 0),
        (8, 3),
        (second + 5, second),
        (second + 6, second),
        (second + 8, second),
        (second + 9, second),
        (second + 11, second + 2),
    ] {
        let edge = format!("\n#{}\n", FIRST_EDGE_NS + (period - 1) * PERIOD_NS);
        assert_eq!(text.matches(&edge).count(), 1, "{edge}");
        std::fs::write(&b, text.replace(&edge, &format!("{edge}1{id}\n"))).unwrap();
        let first = compare::of_waves(&expected, &a, &b).unwrap().unwrap();
        assert_eq!((first.cycle, first.got.as_str()), (step, "1"), "{period}: {first:?}");
        assert!(first.signal.ends_with("stuck_o"));
    }
}
