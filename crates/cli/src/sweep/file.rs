//! The file of a sweep, and what it asks for.

use super::Kind;
use super::exchange::{Exchange, ExchangeFile};
use super::h_relation::{HRelation, HRelationFile};
use super::plot::Scale;
use anyhow::{Context, Result, bail};
use frit_cosim::output;
use frit_cosim::shown::{beginning, printable};
use serde::{Deserialize, de::DeserializeOwned};
use std::path::{Path, PathBuf};

/// What every sweep names besides its points.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outputs {
    /// The rows.
    pub csv: PathBuf,
    /// The drawing.
    pub svg: Option<PathBuf>,
    /// The same as an image.
    pub png: Option<PathBuf>,
}

/// Text above a plot: one line, which the drawing escapes.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "String")]
pub struct Title(pub String);

/// The most characters of a title.
const MAX_TITLE: usize = 120;

impl TryFrom<String> for Title {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        if text.chars().count() <= MAX_TITLE && printable(&text) == text {
            return Ok(Title(text));
        }
        Err(format!(
            "the title {:?} is not allowed: it is one line of at most {MAX_TITLE} characters",
            beginning(&text)
        ))
    }
}

/// How the plot looks.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PlotFile {
    /// Above it; the sweep's own words if there is none.
    pub title: Option<Title>,
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
    /// Of the horizontal axis.
    pub x_scale: Scale,
    /// Of the vertical axis.
    pub y_scale: Scale,
    /// A bar of one standard deviation up and down at every point with several seeds.
    pub error_bars: bool,
    /// The line that the costs fall to, or the lower bound.
    pub limit: bool,
    /// h-relations: a mark where h = n log2 n.
    pub n_log_n: bool,
}

impl Default for PlotFile {
    fn default() -> Self {
        PlotFile {
            title: None,
            width: 960,
            height: 640,
            x_scale: Scale::Log,
            y_scale: Scale::Log,
            error_bars: true,
            limit: true,
            n_log_n: true,
        }
    }
}

/// A sweep as asked for; all its points exist.
pub struct Sweep {
    /// What is swept.
    pub kind: Box<dyn Kind>,
    /// Files to write.
    pub outputs: Outputs,
    /// How the plot looks.
    pub plot: PlotFile,
}

/// The member that decides what the others are.
#[derive(Deserialize)]
struct KindOnly {
    kind: String,
}

/// Reads the file of a sweep.
pub fn read(path: &Path) -> Result<Sweep> {
    let text = String::from_utf8_lossy(&output::read(path)?).into_owned();
    parse(&text).with_context(|| format!("the sweep {} (docs/sweep.md)", path.display()))
}

fn parse(text: &str) -> Result<Sweep> {
    let sweep = match toml::from_str::<KindOnly>(text)?.kind.as_str() {
        "h-relation" => {
            let mut file: HRelationFile = strict(text)?;
            let (outputs, plot) = (file.files.take(), file.plot.clone());
            Sweep { kind: Box::new(HRelation::new(file)?), outputs: outputs.context(NO_FILES)?, plot }
        }
        "exchange" => {
            let mut file: ExchangeFile = strict(text)?;
            let (outputs, plot) = (file.files.take(), file.plot.clone());
            Sweep { kind: Box::new(Exchange::new(file)?), outputs: outputs.context(NO_FILES)?, plot }
        }
        other => bail!("kind = {other:?}: the kinds are \"h-relation\" and \"exchange\""),
    };
    let (width, height) = (sweep.plot.width, sweep.plot.height);
    if !(320..=8192).contains(&width) || !(240..=8192).contains(&height) {
        bail!("a plot of {width} x {height} pixels: the width is 320 to 8192, the height 240 to 8192");
    }
    Ok(sweep)
}

const NO_FILES: &str = "the section [files] with csv = \"NAME.csv\" is missing";

fn strict<T: DeserializeOwned>(text: &str) -> Result<T> {
    Ok(toml::from_str(text)?)
}
