//! The files of a sweep, where they are.

use crate::distinct::distinct;
use crate::plot;
use crate::plot::figure::Figure;
use crate::sweep::kind::{Outputs, Sweep};
use crate::sweep::rows::Rows;
use anyhow::Result;
use frit_trace::output::{Guarded, make_folder, refuse_links, write_file};
use std::path::{Path, PathBuf};

/// The least width of a panel in pixels.
const LEAST: usize = 400;

pub struct Files {
    pub csv: PathBuf,
    svg: Option<PathBuf>,
    png: Option<PathBuf>,
    /// The folder that was named for them.
    folder: Option<PathBuf>,
    _guarded: Option<Guarded>,
}

impl Files {
    /// In this folder, or the current one.
    pub fn of(outputs: &Outputs, folder: Option<&Path>) -> Self {
        let place = |name: &PathBuf| folder.unwrap_or(Path::new("")).join(name);
        let Outputs { csv, svg, png } = outputs;
        let (folder, _guarded) = (folder.map(PathBuf::from), folder.map(Guarded::new));
        Files {
            csv: place(csv),
            svg: svg.as_ref().map(place),
            png: png.as_ref().map(place),
            folder,
            _guarded,
        }
    }

    /// All that the sweep names.
    pub fn all(&self) -> Vec<&Path> {
        [Some(&self.csv), self.svg.as_ref(), self.png.as_ref()]
            .into_iter()
            .flatten()
            .map(|file| &**file)
            .collect()
    }

    /// Makes their folders; no two may be one file, and none may be reached through a link below the folder that was named.
    pub fn prepare(&self) -> Result<()> {
        if let Some(folder) = &self.folder {
            for name in self.all().into_iter().filter_map(|file| file.strip_prefix(folder).ok()) {
                refuse_links(folder, name)?;
            }
        }
        for folder in self.all().iter().filter_map(|file| file.parent()).filter(|p| !p.as_os_str().is_empty())
        {
            make_folder(folder)?;
        }
        distinct([("csv", Some(&*self.csv)), ("svg", self.svg.as_deref()), ("png", self.png.as_deref())])
    }

    /// Draws what is known.
    pub fn draw(&self, sweep: &Sweep, rows: &Rows) -> Result<()> {
        let mut figure = sweep.grid.figure(rows);
        if let Some(title) = &sweep.plot.title {
            figure.title = title.0.clone();
        }
        let (panels, look) = (figure.panels(), &sweep.plot);
        // Of several as many beside each other as have room.
        let rows: Vec<&[Figure]> = panels.chunks((look.width as usize / LEAST).max(1)).collect();
        if let Some(svg) = &self.svg {
            write_file(svg, plot::svg(&rows, look)?)?;
        }
        if let Some(png) = &self.png {
            write_file(png, plot::png(&rows, look)?)?;
        }
        Ok(())
    }
}
