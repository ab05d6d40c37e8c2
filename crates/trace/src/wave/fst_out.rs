//! FST: the head by the `fst-writer` crate, the changes by [`Section`]; the crate takes a value as a character per bit.

use std::borrow::Cow;
use std::fs::File;
use std::io::{BufWriter, Cursor, Seek, SeekFrom, Write};

use fst_writer::{
    FstFileType, FstHeaderWriter, FstInfo, FstScopeType, FstSignalType, FstVarDirection, FstVarType,
};

use super::declare::{SignalDecl, move_scope};
use super::format::{Failure, Format};
use super::fst_section::Section;

/// Changes held before they are written out; it bounds the memory of a run of any length.
const FLUSH_BYTES: usize = 16 << 20;

/// What the file is buffered with.
const BUFFER_BYTES: usize = 1 << 16;

/// Where the last time stands in the head, and the numbers of scopes, variables, signals and sections.
const END_TIME_AT: u64 = 1 + 2 * 8;
const COUNTS_AT: u64 = END_TIME_AT + 3 * 8;

pub(super) struct FstOut {
    file: BufWriter<File>,
    section: Section,
    scopes: u64,
    signals: u64,
    sections: u64,
}

impl FstOut {
    /// Writes the head.
    pub(super) fn start(
        file: File,
        timescale_exponent: i8,
        decls: &[SignalDecl],
        order: &[usize],
    ) -> Result<Self, Failure> {
        let mut bytes = Cursor::new(Vec::new());
        let mut head = FstHeaderWriter::new(&mut bytes, &info(timescale_exponent))?;
        let mut scopes = 0;
        let mut scope: &[String] = &[];
        for &index in order {
            let decl = &decls[index];
            move_scope(scope, &decl.scope, |step| match step {
                Some(name) => {
                    scopes += 1;
                    head.scope(name, "", FstScopeType::Module)
                }
                None => head.up_scope(),
            })?;
            scope = &decl.scope;
            let kind = FstSignalType::bit_vec(decl.width_bits);
            head.var(name(decl), kind, FstVarType::Wire, FstVarDirection::Implicit, None)?;
        }
        move_scope(scope, &[], |_| head.up_scope())?;
        head.finish()?; // the changes are ours
        let mut file = BufWriter::with_capacity(BUFFER_BYTES, file);
        file.write_all(bytes.get_ref())?;
        let section = Section::new(decls.iter().map(|decl| decl.width_bits), order);
        Ok(FstOut { file, section, scopes, signals: order.len() as u64, sections: 0 })
    }

    fn flush(&mut self) -> Result<(), Failure> {
        self.sections += 1;
        self.section.write(&mut self.file)
    }
}

fn info(timescale_exponent: i8) -> FstInfo {
    FstInfo {
        start_time: 0,
        timescale_exponent,
        version: "fritillary".to_string(),
        // Empty on purpose: the same run gives the same bytes on every day.
        date: String::new(),
        file_type: FstFileType::Verilog,
    }
}

/// The name with its range.
fn name(decl: &SignalDecl) -> Cow<'_, str> {
    match decl.width_bits {
        1 => decl.name.as_str().into(),
        width_bits => format!("{} [{}:0]", decl.name, width_bits - 1).into(),
    }
}

impl Format for FstOut {
    fn time(&mut self, ticks: u64) -> Result<(), Failure> {
        // A section ends before a time.
        if self.section.held() > FLUSH_BYTES {
            self.flush()?;
        }
        self.section.time(ticks);
        Ok(())
    }

    fn value(&mut self, signal: usize, limbs: &[u64]) -> Result<(), Failure> {
        self.section.value(signal, limbs);
        Ok(())
    }

    fn unknown(&mut self, signal: usize) -> Result<(), Failure> {
        self.section.unknown(signal);
        Ok(())
    }

    fn finish(mut self) -> Result<(), Failure> {
        self.flush()?;
        self.file.seek(SeekFrom::Start(END_TIME_AT))?;
        self.file.write_all(&self.section.end().to_be_bytes())?;
        self.file.seek(SeekFrom::Start(COUNTS_AT))?;
        for count in [self.scopes, self.signals, self.signals, self.sections] {
            self.file.write_all(&count.to_be_bytes())?;
        }
        Ok(self.file.flush()?)
    }
}

#[cfg(test)]
mod tests;
