//! What the designs of a comparison take on an FPGA.

/// What `D_exchange`, the fabric with its controllers, takes on a device.
#[derive(Clone, Debug, PartialEq)]
pub struct Hardware {
    /// Look-up tables with four inputs.
    pub luts: u64,
    pub ffs: u64,
    pub brams: u64,
    /// The median over the seeds, in MHz; none if it was not placed.
    pub fmax_mhz: Option<f64>,
    /// Why it was not placed, if it does not fit.
    pub too_large: Option<String>,
}
