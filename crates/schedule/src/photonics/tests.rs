use super::*;

fn near(a: f64, b: f64) {
    assert!((a - b).abs() < 1e-9, "{a} is not {b}");
}

#[test]
fn the_papers_figures() {
    let budget = budget(&Parameters::paper()).unwrap();
    near(budget.bit_mm, 2.0);
    near(budget.packet_mm, 256.0);
    near(budget.slot_ns, 1.28);
    near(budget.fibre_m, 196.608);
    near(budget.end_to_end_ns, 7.68);
    near(budget.link_mm, 256.0);
    assert_eq!(budget.clock_cycles, 8);
    // Printed as 1.3 ns, 200 m and 8 cycles.
    assert_eq!(format!("{:.1} {:.0}", budget.slot_ns, budget.fibre_m / 100.0), "1.3 2");
}

#[test]
fn links_are_those_of_the_network() {
    for dimension in 2..=10 {
        let budget = budget(&Parameters { dimension, ..Parameters::paper() }).unwrap();
        let network = frit_network::optical_butterfly(1 << dimension).unwrap();
        let links: usize = network.links().iter().map(Vec::len).sum();
        near(budget.fibre_m, links as f64 * 0.256);
    }
}

#[test]
fn guard_takes_bits_from_the_slot() {
    let paper = budget(&Parameters::paper()).unwrap();
    assert_eq!(paper.payload_bits, 126);
    near(paper.guard_overhead, 0.02 / 1.28);
    near(paper.full_packet_slot_ns, 1.30);
    near(paper.last_bit_ns, 8.96);
    let ideal = Parameters { switching_ps: 0.0, guard_ps: 0.0, ..Parameters::paper() };
    assert_eq!(budget(&ideal).unwrap().payload_bits, 128);
}

#[test]
fn power_and_crosstalk_of_a_path() {
    let paper = Parameters::paper();
    let six = budget(&paper).unwrap();
    near(six.path_loss_db, 5.0 * 4.0 + 6.0 * 0.256 * 0.0003);
    near(six.received_dbm, 10.0 - six.path_loss_db);
    near(six.margin_db, six.received_dbm + 15.0);
    near(six.crosstalk_db, -48.0 + 10.0 * 5f64.log10());
    assert_eq!((six.closes, six.largest_dimension), (true, Some(7)));
    let eight = budget(&Parameters { dimension: 8, ..paper }).unwrap();
    assert_eq!((eight.closes, eight.largest_dimension), (false, Some(7)));
    let two = budget(&Parameters { dimension: 2, ..paper }).unwrap();
    near(two.crosstalk_db, -48.0);
}

#[test]
fn either_limit_ends_the_network() {
    let paper = Parameters::paper();
    let largest = |p: Parameters| budget(&p).unwrap().largest_dimension;
    // -30 dB ten times is -20 dB.
    let leaky = Parameters { crosstalk_per_switch_db: -30.0, loss_per_switch_db: 0.0, ..paper };
    assert_eq!(largest(leaky), Some(11));
    assert_eq!(largest(Parameters { loss_per_switch_db: 0.0, ..paper }), Some(MAX_DIMENSION));
    assert_eq!(largest(Parameters { loss_per_switch_db: 26.0, ..paper }), None);
    assert_eq!(largest(Parameters { loss_per_switch_db: 1.0, laser_dbm: 0.0, ..paper }), Some(15));
}

#[test]
fn cycles_are_begun_ones() {
    let cycles = |clock_ghz| budget(&Parameters { clock_ghz, ..Parameters::paper() }).unwrap().clock_cycles;
    assert_eq!([cycles(0.01), cycles(1.0), cycles(1.1), cycles(3.125)], [1, 8, 9, 24]);
}

#[test]
fn impossible_parameters_are_named() {
    let paper = Parameters::paper();
    let text = |p: Parameters| budget(&p).unwrap_err().to_string();
    assert_eq!(
        text(Parameters { bit_rate_gbps: 0.0, ..paper }),
        "the bit rate in Gb/s is 0, but must be more than 0"
    );
    assert_eq!(
        text(Parameters { packet_bits: 0, ..paper }),
        "the number of bits in a packet is 0, but must be more than 0"
    );
    assert_eq!(
        text(Parameters { guard_ps: -1.0, ..paper }),
        "the guard time in ps is -1, but cannot be less than 0"
    );
    assert_eq!(
        text(Parameters { crosstalk_per_switch_db: 20.0, ..paper }),
        "the crosstalk per switch is 20 dB, but must be less than 0 dB"
    );
    assert_eq!(
        text(Parameters { refractive_index: 0.9, ..paper }),
        "the refractive index is 0.9, but must be 1 or more"
    );
    assert_eq!(text(Parameters { dimension: 1, ..paper }), "the dimension is 1, but must be 2..=20");
    assert_eq!(
        text(Parameters { packet_bits: 2, ..paper }),
        "a packet of 20 ps (2 bits at 100 Gb/s) has no room for a bit beside 15 ps of switching and 5 ps of guard"
    );
    for p in [
        Parameters { clock_ghz: f64::NAN, ..paper },
        Parameters { light_speed_m_per_ns: f64::INFINITY, ..paper },
        Parameters { loss_per_metre_db: f64::NAN, ..paper },
        Parameters { laser_dbm: f64::NAN, ..paper },
        Parameters { refractive_index: f64::NAN, ..paper },
        Parameters { crosstalk_limit_db: 0.0, ..paper },
    ] {
        assert!(budget(&p).is_err(), "{p:?}");
    }
    assert_eq!(budget(&Parameters { packet_bits: 3, ..paper }).unwrap().payload_bits, 1);
}

#[test]
fn links_of_another_length_than_a_packet() {
    let paper = Parameters::paper();
    let metre = Parameters { link_mm: Some(1000.0), ..paper };
    let one = budget(&metre).unwrap();
    near(one.slot_ns, 5.0);
    near(one.packet_mm, 256.0);
    near(one.fibre_m, 768.0);
    near(one.end_to_end_ns, 30.0);
    near(one.last_bit_ns, 31.28);
    near(one.goodput_gbps, 2.0 * 126.0 / 5.0);
    // Three packets under way in each link.
    let three = budget(&Parameters { slots_per_link: 3, ..metre }).unwrap();
    near(three.slot_ns, 5.0 / 3.0);
    near(three.end_to_end_ns, 30.0);
    near(three.goodput_gbps, 3.0 * one.goodput_gbps);
    near(three.energy_pj_per_bit, one.energy_pj_per_bit / 3.0);
    near(budget(&Parameters { slots_per_link: 2, ..paper }).unwrap().link_mm, 512.0);
    assert_eq!(
        budget(&Parameters { slots_per_link: 4, ..metre }).unwrap_err().to_string(),
        "a packet of 128 bit times takes 1280 ps, but links of 1000 mm make slots of 1250 ps; give fewer bits, longer links or fewer slots in a link"
    );
}

#[test]
fn energy_of_a_bit() {
    let paper = budget(&Parameters::paper()).unwrap();
    near(paper.goodput_gbps, 2.0 * 126.0 / 1.28);
    // 128 lanes of 100 mW for the laser and 500 mW; 5 levels of 64 switches of 250 mW.
    near(paper.power_w, 128.0 * 0.6 + 320.0 * 0.25);
    near(paper.energy_pj_per_bit, 1000.0 * paper.power_w / (64.0 * paper.goodput_gbps));
    let error = |p: Parameters| budget(&p).unwrap_err().to_string();
    let wrong = Parameters { laser_efficiency: 1.5, ..Parameters::paper() };
    assert_eq!(error(wrong), "the efficiency of the laser is 1.5, but cannot be more than 1");
    let none = Parameters { laser_efficiency: 0.0, ..Parameters::paper() };
    assert_eq!(error(none), "the efficiency of the laser is 0, but must be more than 0");
    let dark = Parameters { link_mm: Some(0.0), ..Parameters::paper() };
    assert_eq!(error(dark), "the length of a link in mm is 0, but must be more than 0");
    let none = Parameters { slots_per_link: 0, ..Parameters::paper() };
    assert_eq!(error(none), "the number of slots in a link is 0, but must be more than 0");
    let free = Parameters { switch_mw: -1.0, ..Parameters::paper() };
    assert_eq!(error(free), "the power of a switch in mW is -1, but cannot be less than 0");
}
