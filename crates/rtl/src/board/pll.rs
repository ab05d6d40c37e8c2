//! Settings of the PLLs, as icepll and ecppll find them.

use serde::Serialize;

/// Dividers of a PLL, as its primitive takes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Pll {
    /// iCE40: DIVR; ECP5: CLKI_DIV.
    pub input: u64,
    /// iCE40: DIVF; ECP5: CLKFB_DIV.
    pub feedback: u64,
    /// iCE40: DIVQ; ECP5: CLKOP_DIV.
    pub output: u64,
    /// iCE40: FILTER_RANGE; ECP5: CLKOP_CPHASE.
    pub filter: u64,
    /// What comes out, in Hz.
    pub frequency_hz: u64,
}

fn exact(found: f64, wanted: u64) -> bool {
    (found / wanted as f64 - 1.0).abs() < 1e-3
}

fn best(candidates: impl Iterator<Item = Pll>, wanted: u64) -> Option<Pll> {
    candidates
        .filter(|pll| exact(pll.frequency_hz as f64, wanted))
        .min_by_key(|pll| (pll.frequency_hz.abs_diff(wanted), pll.input))
}

impl Pll {
    /// SB_PLL40 with simple feedback (iCE40 sysCLOCK PLL Design and Usage Guide): phase detector 10 to 133 MHz, oscillator
    /// 533 to 1066 MHz.
    pub fn ice40(oscillator_hz: u64, wanted_hz: u64) -> Option<Pll> {
        let oscillator = oscillator_hz as f64;
        let all = (0..16u64).flat_map(move |input| {
            let detector = oscillator / (input + 1) as f64;
            let filter = [17e6, 26e6, 44e6, 66e6, 101e6].iter().filter(|limit| detector >= **limit).count();
            (0..128u64).flat_map(move |feedback| {
                let vco = detector * (feedback + 1) as f64;
                let usable = (10e6..=133e6).contains(&detector) && (533e6..=1066e6).contains(&vco);
                (1..7u64).filter(move |_| usable).map(move |output| Pll {
                    input,
                    feedback,
                    output,
                    filter: filter as u64 + 1,
                    frequency_hz: (vco / (1u64 << output) as f64).round() as u64,
                })
            })
        });
        best(all, wanted_hz)
    }

    /// EHXPLLL with feedback from CLKOP (ECP5 sysCLOCK PLL/DLL Design and Usage Guide): phase detector 3.125 to 400 MHz,
    /// oscillator 400 to 800 MHz.
    pub fn ecp5(oscillator_hz: u64, wanted_hz: u64) -> Option<Pll> {
        let oscillator = oscillator_hz as f64;
        let all = (1..=128u64).flat_map(move |input| {
            let detector = oscillator / input as f64;
            (1..=128u64).flat_map(move |feedback| {
                let frequency = detector * feedback as f64;
                // The divider that brings the oscillator nearest to the middle of its range.
                let output = ((600e6 / frequency).round() as u64).clamp(1, 128);
                let vco = frequency * output as f64;
                let usable = (3.125e6..=400e6).contains(&detector) && (400e6..=800e6).contains(&vco);
                usable.then_some(Pll {
                    input,
                    feedback,
                    output,
                    filter: output / 2,
                    frequency_hz: frequency.round() as u64,
                })
            })
        });
        best(all, wanted_hz)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_settings() {
        // icepll -i 12 -o 60: DIVR 0, DIVF 79, DIVQ 4, FILTER_RANGE 1.
        let pll = Pll::ice40(12_000_000, 60_000_000).unwrap();
        assert_eq!((pll.input, pll.feedback, pll.output, pll.filter), (0, 79, 4, 1));
        // 25 MHz to 100 MHz: fourfold, the oscillator at 600 MHz.
        let pll = Pll::ecp5(25_000_000, 100_000_000).unwrap();
        assert_eq!((pll.input, pll.feedback, pll.output), (1, 4, 6));
    }

    #[test]
    fn what_a_pll_cannot_do() {
        assert_eq!(Pll::ice40(12_000_000, 1_000_000), None);
        assert_eq!(Pll::ice40(12_000_000, 600_000_000), None);
        assert_eq!(Pll::ecp5(25_000_000, 900_000_000), None);
    }
}
