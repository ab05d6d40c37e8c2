//! The files of a sweep, where they are.

use crate::distinct::distinct;
use crate::plot;
use crate::sweep::kind::{Outputs, Sweep};
use crate::sweep::rows::Rows;
use anyhow::Result;
use frit_trace::output::{make_folder, write_file};
use std::path::{Path, PathBuf};
use std::slice::from_ref;

/// The files of a sweep.
pub struct Files {
    /// The rows.
    pub csv: PathBuf,
    svg: Option<PathBuf>,
    png: Option<PathBuf>,
}

impl Files {
    /// In this folder, or the current one.
    pub fn of(outputs: &Outputs, folder: Option<&Path>) -> Self {
        let place = |name: &PathBuf| folder.unwrap_or(Path::new("")).join(name);
        let Outputs { csv, svg, png } = outputs;
        Files { csv: place(csv), svg: svg.as_ref().map(place), png: png.as_ref().map(place) }
    }

    /// All that the sweep names.
    pub fn all(&self) -> Vec<&Path> {
        [Some(&self.csv), self.svg.as_ref(), self.png.as_ref()]
            .into_iter()
            .flatten()
            .map(|file| &**file)
            .collect()
    }

    /// Makes their folders; no two may be one file.
    pub fn prepare(&self) -> Result<()> {
        for folder in self.all().iter().filter_map(|file| file.parent()).filter(|p| !p.as_os_str().is_empty())
        {
            make_folder(folder)?;
        }
        distinct([("csv", Some(&*self.csv)), ("svg", self.svg.as_deref()), ("png", self.png.as_deref())])
    }

    /// Draws what is known.
    pub fn draw(&self, sweep: &Sweep, rows: &Rows) -> Result<()> {
        let mut figure = sweep.kind.figure(rows);
        if let Some(title) = &sweep.plot.title {
            figure.title = title.0.clone();
        }
        if let Some(svg) = &self.svg {
            write_file(svg, plot::svg(&[from_ref(&figure)], &sweep.plot)?)?;
        }
        if let Some(png) = &self.png {
            write_file(png, plot::png(&[from_ref(&figure)], &sweep.plot)?)?;
        }
        Ok(())
    }
}
