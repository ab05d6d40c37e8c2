//! What `wellen` lets pass in a VCD, and what would make a comparison silently wrong.

use frit_network::Refusal;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Seek};
use std::path::Path;

use super::error::{broken, cannot_read};
use super::given::Source;
use super::limits::{MAX_DEPTH, MAX_READ_BITS};
use super::vcd_ids::{Ids, Kind, Shape, shown};

/// Whether a file is a VCD: it starts with a command. Leaves it at its start.
pub(super) fn is_vcd(file: &mut BufReader<Source>) -> std::io::Result<bool> {
    let first = file.by_ref().bytes().find(|byte| !byte.as_ref().is_ok_and(u8::is_ascii_whitespace));
    let first = first.transpose()?;
    file.rewind()?;
    Ok(first == Some(b'$'))
}

/// Reads a file through, as `wellen` 0.25 does, and leaves it at its start; an error, with the line, if it was cut off, if
/// its time goes back or if it changes a signal that was not declared.
///
/// A file that was cut off still parses: the reader drops the last, unfinished line, or takes the first digits of a time
/// for the time. Every simulator ends the file with a line end. What follows a time that goes back (two runs in one
/// file) the reader leaves out. It also leaves out what follows the header on its last line, and takes a carriage return
/// or a form feed in a declaration for a part of a name, and ignores the values of what is declared with a size of 0. If there is such a
/// thing, or a byte order mark, the content is given back as the reader needs it.
pub(super) fn check(path: &Path, file: &mut BufReader<Source>) -> Result<Option<Vec<u8>>, Refusal> {
    let read_error = |cause| cannot_read(path, cause);
    let mut scan = Scan { line: 1, ids: Ids::default(), now: 0, expect: Expect::Change, odd_blank: false };
    let mut at = 0;
    let mut bytes = file.by_ref().bytes().inspect(|_| at += 1);
    match scan.header(&mut || bytes.next().transpose()) {
        Ok(()) => {}
        Err(VcdFlaw::Read(source)) => return Err(read_error(source)),
        Err(VcdFlaw::Wrong(reason)) => return Err(scan.broken(path, &reason)),
    }
    let (header_end, mut early) = (at, false);
    let marked = file.get_ref().is_marked();
    let mut line = Vec::new();
    loop {
        line.clear();
        if file.read_until(b'\n', &mut line).map_err(read_error)? == 0 {
            break;
        }
        if line.last() != Some(&b'\n') {
            return Err(broken(path, "it is cut off, its last line has no line end"));
        }
        for token in line.split(u8::is_ascii_whitespace).filter(|token| !token.is_empty()) {
            early |= at == header_end;
            scan.token(token).map_err(|reason| scan.broken(path, &reason))?;
        }
        at += 1;
        scan.line += 1;
    }
    if matches!(scan.expect, Expect::Id(_)) {
        return Err(broken(path, "it is cut off, its last value has no signal"));
    }
    file.rewind().map_err(read_error)?;
    let sized = scan.ids.sized();
    if !(early || scan.odd_blank || marked || !sized.is_empty()) {
        return Ok(None);
    }
    mended(file, &sized).map(Some).map_err(read_error)
}

/// The content of a file with a line end behind its header, a space in place of every odd blank in the header ([`is_odd_blank`]), and
/// these signals declared as what their values are.
fn mended(file: &mut BufReader<Source>, sized: &BTreeMap<Vec<u8>, Kind>) -> std::io::Result<Vec<u8>> {
    let (header, commands) = commands(file)?;
    let (mut content, mut start) = (Vec::with_capacity(header.len()), 0);
    for Command { end, .. } in commands {
        let command = &header[start..end];
        match declared(command, sized) {
            Some(declaration) => content.extend(declaration),
            None => content.extend(command),
        }
        start = end;
    }
    content.extend(&header[start..]);
    content.iter_mut().filter(|byte| is_odd_blank(**byte)).for_each(|byte| *byte = b' ');
    content.push(b'\n');
    file.read_to_end(&mut content)?;
    Ok(content)
}

/// The declaration of a signal with a size of 0, with the type and the size that its values have.
fn declared(command: &[u8], sized: &BTreeMap<Vec<u8>, Kind>) -> Option<Vec<u8>> {
    let command = command.trim_ascii_start();
    let body = command.strip_prefix(b"$var")?.strip_suffix(END)?;
    let mut tokens = body.split(u8::is_ascii_whitespace).filter(|token| !token.is_empty());
    let (variable, size, id) = (tokens.next()?, tokens.next()?, tokens.next()?);
    let kind =
        sized.get(id).filter(|_| size_of(size) == Some(0) && Kind::of(variable, 0) == Kind::Bits(0))?;
    let (variable, bits): (&[u8], u32) = match kind {
        Kind::Bits(bits) => (variable, *bits),
        Kind::Real => (b"real", 64),
        Kind::Text => (b"string", 1),
        Kind::Event => return None,
    };
    let mut declaration = [b"\n$var ", variable, format!(" {bits} ").as_bytes(), id].concat();
    tokens.chain([END]).for_each(|token| {
        declaration.push(b' ');
        declaration.extend(token);
    });
    Some(declaration)
}

fn size_of(size: &[u8]) -> Option<u32> {
    std::str::from_utf8(size).ok()?.parse().ok()
}

/// Ends a command of the header.
const END: &[u8] = b"$end";

/// What comes next in the body.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Expect {
    Change,
    /// The signal of a value that was read.
    Id(Shape),
    CommentEnd,
}

/// Why a header ends.
enum VcdFlaw {
    Read(std::io::Error),
    Wrong(String),
}

impl From<std::io::Error> for VcdFlaw {
    fn from(source: std::io::Error) -> Self {
        VcdFlaw::Read(source)
    }
}

/// A command of a header: where it ends, and the line on which it starts.
pub(super) struct Command {
    pub end: usize,
    pub line: u64,
}

/// The bytes of a header before `$enddefinitions`, and the commands in them.
pub(super) fn commands(file: &mut impl BufRead) -> std::io::Result<(Vec<u8>, Vec<Command>)> {
    let (mut header, mut commands) = (Vec::new(), Vec::new());
    let mut scan = Scan { line: 1, ids: Ids::default(), now: 0, expect: Expect::Change, odd_blank: false };
    let mut bytes = file.bytes();
    loop {
        let mut next = || {
            let byte = bytes.next().transpose()?;
            header.extend(byte);
            Ok(byte)
        };
        scan.start(&mut next)?;
        let line = scan.line;
        match scan.command(&mut next) {
            Ok((name, _)) if name != b"enddefinitions" => commands.push(Command { end: header.len(), line }),
            Err(VcdFlaw::Read(error)) => return Err(error),
            _ => return Ok((header, commands)),
        }
    }
}

struct Scan {
    line: u64,
    ids: Ids,
    now: u64,
    expect: Expect,
    /// Whether the header has white space that its reader takes for something else.
    odd_blank: bool,
}

impl Scan {
    fn broken(&self, path: &Path, reason: &str) -> Refusal {
        broken(path, format!("line {}: {reason}", self.line))
    }

    /// Reads the commands up to `$enddefinitions $end`.
    fn header(&mut self, next: &mut impl FnMut() -> std::io::Result<Option<u8>>) -> Result<(), VcdFlaw> {
        let mut depth = 0u32;
        loop {
            if self.start(next)? != Some(b'$') {
                return Err(VcdFlaw::Wrong(
                    "a command that starts with $ is expected, $enddefinitions the last".into(),
                ));
            }
            let line = self.line;
            let command = self.command(next);
            // What follows is about the command as a whole: where it starts.
            let after = std::mem::replace(&mut self.line, line);
            let (name, body) = command?;
            let mut tokens = body.split(u8::is_ascii_whitespace).filter(|token| !token.is_empty());
            match name.as_slice() {
                b"enddefinitions" => {
                    self.line = after;
                    return Ok(());
                }
                b"scope" if depth == MAX_DEPTH => {
                    return Err(VcdFlaw::Wrong(format!("more than {MAX_DEPTH} scopes are open")));
                }
                b"scope" => depth += 1,
                b"upscope" => {
                    let up = depth.checked_sub(1);
                    depth = up.ok_or(VcdFlaw::Wrong("$upscope closes a scope that is not open".into()))?;
                }
                b"var" => {
                    let (Some(variable), Some(size), Some(id), Some(name)) =
                        (tokens.next(), tokens.next(), tokens.next(), tokens.next())
                    else {
                        return Err(VcdFlaw::Wrong(
                            "$var needs a type, a size, a short name and a name".into(),
                        ));
                    };
                    let Some(bits) = size_of(size).filter(|bits| *bits <= MAX_READ_BITS) else {
                        return Err(VcdFlaw::Wrong(format!(
                            "a signal of {} bits: the size is 0 to {MAX_READ_BITS}",
                            shown(size)
                        )));
                    };
                    let range = range(name, tokens.next(), tokens.next());
                    if let Some((left, right)) =
                        range.filter(|(left, right)| left.abs_diff(*right) + 1 != u64::from(bits))
                    {
                        return Err(VcdFlaw::Wrong(format!(
                            "{} has {bits} bits, and its range [{left}:{right}] has {}: one of the two is wrong",
                            shown(name),
                            left.abs_diff(right) + 1
                        )));
                    }
                    self.ids.declare(id, Kind::of(variable, bits)).map_err(VcdFlaw::Wrong)?;
                }
                b"date" | b"timescale" | b"comment" | b"version" | b"attrbegin" | b"attrend" => {}
                other => return Err(VcdFlaw::Wrong(format!("${} is no command of a header", shown(other)))),
            }
            self.line = after;
        }
    }

    /// The first character that is no space.
    fn start(
        &mut self,
        next: &mut impl FnMut() -> std::io::Result<Option<u8>>,
    ) -> std::io::Result<Option<u8>> {
        loop {
            match next()? {
                Some(b'\n') => self.line += 1,
                Some(byte) if byte.is_ascii_whitespace() => self.odd_blank |= is_odd_blank(byte),
                other => return Ok(other),
            }
        }
    }

    /// The name of a command behind its `$`, and what stands between it and `$end`.
    fn command(
        &mut self,
        next: &mut impl FnMut() -> std::io::Result<Option<u8>>,
    ) -> Result<(Vec<u8>, Vec<u8>), VcdFlaw> {
        let (mut name, mut body) = (Vec::new(), Vec::new());
        let (mut in_name, mut end) = (true, 0);
        loop {
            let Some(byte) = next()? else {
                return Err(VcdFlaw::Wrong(format!("${} has no $end: the file is cut off", shown(&name))));
            };
            self.line += u64::from(byte == b'\n');
            self.odd_blank |= is_odd_blank(byte);
            if in_name && byte.is_ascii_whitespace() {
                in_name = false;
            } else if in_name {
                name.push(byte);
            } else {
                body.push(byte);
                // As the reader does: wherever these four characters stand, unless a part of them stands before.
                end = if END.get(end) == Some(&byte) { end + 1 } else { 0 };
                if end == END.len() {
                    body.truncate(body.len() - END.len());
                    return Ok((name, body));
                }
            }
        }
    }

    /// A word of the body.
    fn token(&mut self, token: &[u8]) -> Result<(), String> {
        match self.expect {
            Expect::CommentEnd => {
                if token == b"$end" {
                    self.expect = Expect::Change;
                }
                return Ok(());
            }
            Expect::Id(value) => {
                self.expect = Expect::Change;
                return self.ids.check(token, value);
            }
            Expect::Change => {}
        }
        let (first, rest) = (token[0], &token[1..]);
        match first {
            b'#' => {
                let time = time(rest).ok_or_else(|| format!("#{} is not a time", shown(rest)))?;
                if time < self.now {
                    return Err(format!("its time goes back from {} to {time}", self.now));
                }
                self.now = time;
            }
            b'b' | b'B' => {
                if let Some(other) = rest.iter().find(|digit| !is_state(**digit)) {
                    return Err(format!("a bit is {:?}; it is 0, 1, x or z", char::from(*other)));
                }
                self.expect = Expect::Id(Shape::of(rest));
            }
            b'r' | b'R' => {
                let number = std::str::from_utf8(rest).ok().and_then(|text| text.parse::<f64>().ok());
                number.ok_or_else(|| format!("{} is not a number", shown(rest)))?;
                self.expect = Expect::Id(Shape::Real);
            }
            b's' | b'S' => self.expect = Expect::Id(Shape::Text),
            state if is_state(state) => return self.ids.check(rest, Shape::of(&[state])),
            _ => match token {
                b"$comment" => self.expect = Expect::CommentEnd,
                b"$dumpvars" | b"$end" | b"$dumpoff" | b"$dumpon" | b"$dumpall" => {}
                other => return Err(format!("{} is no change of a signal and no time", shown(other))),
            },
        }
        Ok(())
    }
}

/// The range of a declared signal, `[7:0]`, if it has just one: behind its name, or at the end of it. The index of an array's element
/// is no range.
fn range(name: &[u8], behind: Option<&[u8]>, further: Option<&[u8]>) -> Option<(i64, i64)> {
    let text = match (behind, further) {
        (None, _) => std::str::from_utf8(name).ok().filter(|name| name.matches('[').count() == 1)?,
        (Some(range), None) => std::str::from_utf8(range).ok()?,
        _ => return None,
    };
    let (_, inside) = text.strip_suffix(']')?.split_once('[')?;
    let (left, right) = inside.split_once(':')?;
    Some((left.parse().ok()?, right.parse().ok()?))
}

/// White space of a body that is none in a header, for `wellen` 0.25.
pub(super) fn is_odd_blank(byte: u8) -> bool {
    matches!(byte, b'\r' | b'\x0c')
}

fn is_state(byte: u8) -> bool {
    b"01xXzZhHuUwWlL-".contains(&byte)
}

/// A time as the reader takes it: a whole number, also as `1e3`.
fn time(digits: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(digits).ok()?;
    let float = |text: &str| text.parse::<f64>().ok().filter(|time| time.fract() == 0.0 && *time >= 0.0);
    text.parse().ok().or_else(|| float(text).map(|time| time as u64))
}
