//! What every kind of sweep is.

use super::rows::Rows;
use crate::plot::figure::Figure;
use crate::plot::look::PlotFile;
use anyhow::{Context, Result, bail};
use serde::Deserialize;
use std::path::PathBuf;

/// How a kind of sweep is asked for.
pub struct Reader {
    /// The `kind` of its files.
    pub name: &'static str,
    /// Reads the text of such a file.
    pub read: fn(&str) -> Result<Sweep>,
}

/// A sweep as asked for; all its points exist.
pub struct Sweep {
    pub kind: Box<dyn Kind>,
    pub outputs: Outputs,
    /// How the plot looks.
    pub plot: PlotFile,
}

impl Sweep {
    /// A sweep with the sections that every kind has.
    pub fn new(kind: impl Kind + 'static, files: Option<Outputs>, plot: PlotFile) -> Result<Self> {
        let outputs = files.context("the section [files] with csv = \"NAME.csv\" is missing")?;
        let PlotFile { width, height, .. } = plot;
        if !(320..=8192).contains(&width) || !(240..=8192).contains(&height) {
            bail!("a plot of {width} x {height} pixels: the width is 320 to 8192, the height 240 to 8192");
        }
        Ok(Sweep { kind: Box::new(kind), outputs, plot })
    }
}

/// What every sweep names besides its points.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outputs {
    pub csv: PathBuf,
    pub svg: Option<PathBuf>,
    /// The same as an image.
    pub png: Option<PathBuf>,
}

/// One run of a sweep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// Its cells in the key columns; no two points share them.
    pub key: Vec<String>,
    /// How long it takes beside the others, in any unit.
    pub work: u64,
}

/// What all points together come to.
pub struct Conclusion {
    /// Whether every check passed.
    pub fine: bool,
    /// What is said of it, a line each.
    pub lines: Vec<String>,
}

/// What is swept.
pub trait Kind: Sync {
    /// The columns of the CSV file.
    fn columns(&self) -> &'static [&'static str];
    /// What decides what a point comes to besides its key, in a text that is the same as long as that is.
    fn configuration(&self) -> String;
    /// All points, in the order of the CSV file.
    fn points(&self) -> &[Point];
    /// Whether all is there that runs need, such as tools: asked before anything runs.
    fn ready(&self) -> Result<()> {
        Ok(())
    }
    /// Runs one; gives the cells of the columns behind the key.
    fn run(&self, point: usize) -> Result<Vec<String>>;
    /// What is to be said of a run besides its row, once: right behind it.
    fn remark(&self, _point: usize) -> Option<String> {
        None
    }
    /// What is plotted.
    fn figure(&self, rows: &Rows) -> Figure;
    /// What is said of the sweep as a whole, once all points are known.
    fn conclude(&self, _: &Rows) -> Option<Conclusion> {
        None
    }
}

/// The members of the files of one kind of sweep, besides those that all kinds have, and `read`, which makes the sweep of them. It is a
/// macro because serde accepts unknown members where one struct is flattened into another.
macro_rules! sweep_file {
    ($(#[$doc:meta])* struct $file:ident of $sweep:ident { $($(#[$attribute:meta])* $member:ident: $type:ty,)* }) => {
        $(#[$doc])*
        #[derive(Debug, serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        struct $file {
            #[serde(rename = "kind")]
            _kind: String,
            $($(#[$attribute])* $member: $type,)*
            files: Option<$crate::sweep::kind::Outputs>,
            #[serde(default)]
            plot: $crate::plot::look::PlotFile,
        }

        fn read(text: &str) -> Result<Sweep> {
            let mut file: $file = $crate::toml_text::read(text)?;
            let (files, plot) = (file.files.take(), file.plot.clone());
            Sweep::new($sweep::new(&file)?, files, plot)
        }
    };
}
pub(super) use sweep_file;
