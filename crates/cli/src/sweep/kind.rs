//! What the files of all kinds of sweep have.

use super::grid::Grid;
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

pub struct Sweep {
    pub grid: Grid,
    pub outputs: Outputs,
    /// How the plot looks.
    pub plot: PlotFile,
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

impl Sweep {
    /// A sweep with the sections that every kind has.
    pub fn new(grid: Grid, files: Option<Outputs>, plot: PlotFile) -> Result<Self> {
        let outputs = files.context("the section [files] with csv = \"NAME.csv\" is missing")?;
        let PlotFile { width, height, .. } = plot;
        if !(320..=8192).contains(&width) || !(240..=8192).contains(&height) {
            bail!(
                "a plot of {width} x {height} pixels: give a width of 320 to 8192 and a height of 240 to 8192"
            );
        }
        Ok(Sweep { grid, outputs, plot })
    }
}

/// A kind of sweep: the members of its files besides those that all kinds have, those of its systems besides `system`, `terminals` and
/// `options`, and those of its section `[drawing]`. The function `grid` beside it makes the points. It is a macro because serde accepts unknown
/// members where one struct is flattened into another.
macro_rules! sweep_file {
    (
        $name:literal: $file:ident { $($(#[$attribute:meta])* $member:ident: $type:ty,)* }
        $(systems: $system:ident { $($own:ident: $own_type:ty,)* })?
        $(drawing: $drawing:ident { $($drawn:ident: $drawn_type:ty,)* })?
    ) => {
        pub const KIND: $crate::sweep::kind::Reader = $crate::sweep::kind::Reader { name: $name, read };

        #[derive(Debug, serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        struct $file {
            #[serde(rename = "kind")]
            _kind: String,
            $(systems: Vec<$system>,)?
            $($(#[$attribute])* $member: $type,)*
            $(#[serde(default)] drawing: $drawing,)?
            files: Option<$crate::sweep::kind::Outputs>,
            #[serde(default)]
            plot: $crate::plot::look::PlotFile,
        }

        $(
            #[derive(Debug, serde::Deserialize)]
            #[serde(deny_unknown_fields)]
            struct $system {
                system: String,
                terminals: $crate::sweep::lists::OneOrMore<u64>,
                #[serde(default)]
                options: $crate::sweep::lists::Options,
                $($own: $own_type,)*
            }
        )?

        $(
            #[derive(Debug, Default, serde::Deserialize)]
            #[serde(deny_unknown_fields, default)]
            struct $drawing {
                $($drawn: $drawn_type,)*
            }
        )?

        fn read(text: &str) -> Result<$crate::sweep::kind::Sweep> {
            let mut file: $file = $crate::toml_text::read(text)?;
            let (files, plot) = (file.files.take(), file.plot.clone());
            $crate::sweep::kind::Sweep::new(grid(&file)?, files, plot)
        }
    };
}
pub(super) use sweep_file;
