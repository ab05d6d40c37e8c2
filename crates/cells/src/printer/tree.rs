//! rust-hdl's own tree of a cell: its signals, constants, registers and memories, and what its kernel says.

use crate::atoms::memory::{BLOCK, COLLIDES, MEMORY, SHORT};
use crate::atoms::preset::ASYNCHRONOUS;
use crate::atoms::{Symbol, purpose};
use rust_hdl::prelude::*;
use std::collections::BTreeSet;

/// A signal or a constant of a block.
pub(super) struct Net {
    pub(super) name: String,
    pub(super) kind: AtomKind,
    pub(super) bits: usize,
    literal: String,
    pub(super) symbol: Symbol,
    /// A bus stays a vector when it is one bit wide, so that its bits can be selected.
    vector: bool,
}

impl Net {
    /// The text of a constant's value.
    pub(super) fn value(&self) -> &str {
        self.symbol.value.as_ref().unwrap_or(&self.literal)
    }

    /// `[W-1:0] `, `[3:0] ` or nothing.
    pub(super) fn range(&self) -> String {
        match &self.symbol.width {
            Some(name) => format!("[{name}-1:0] "),
            None if self.bits == 1 && !self.vector => String::new(),
            None => format!("[{}:0] ", self.bits - 1),
        }
    }

    /// Its name in the module: a constant in capitals, a parameter as `LastRound`.
    pub(super) fn printed(&self) -> String {
        match self.kind {
            AtomKind::Constant if self.symbol.parameter => {
                let word = |word: &str| word[..1].to_uppercase() + &word[1..];
                self.name.split('_').filter(|part| !part.is_empty()).map(word).collect()
            }
            AtomKind::Constant => constant_name(&self.name),
            _ => self.name.replace('$', "_"),
        }
    }

    /// Whether it is a constant that is a plain integer (an index), with no width of its own.
    pub(super) fn is_integer(&self) -> bool {
        self.symbol.width.is_none() && self.bits == 32 && !self.value().contains('\'')
    }
}

/// A constant that is not a parameter as the module calls it.
pub(super) fn constant_name(name: &str) -> String {
    name.to_uppercase().replace('$', "_")
}

/// A block: a cell, or a register or memory in one.
#[derive(Default)]
pub(super) struct Scope {
    pub(super) name: String,
    pub(super) nets: Vec<Net>,
    pub(super) blocks: Vec<Scope>,
    pub(super) code: Option<Verilog>,
    timing: Option<String>,
    /// Of a memory: whether nobody looks at a word that was read while it was written.
    collides: bool,
    block: bool,
    /// Of a register: whether its reset is asynchronous.
    pub(super) asynchronous: bool,
    /// What a register or memory is for.
    purpose: String,
}

impl Scope {
    pub(super) fn of(cell: &dyn Block) -> Scope {
        let mut tree = Tree::default();
        cell.accept("cell", &mut tree);
        tree.root.expect("a block visits its own scope")
    }

    pub(super) fn of_kind(&self, kind: AtomKind) -> impl Iterator<Item = &Net> {
        self.nets.iter().filter(move |net| net.kind == kind)
    }

    pub(super) fn named(&self, kind: AtomKind) -> BTreeSet<String> {
        self.of_kind(kind).map(Net::printed).collect()
    }

    /// Constants that are not parameters.
    pub(super) fn constants(&self) -> impl Iterator<Item = &Net> {
        self.of_kind(AtomKind::Constant).filter(|net| !net.symbol.parameter)
    }

    /// Parameters that are values; the others are widths.
    pub(super) fn parameters(&self) -> impl Iterator<Item = &Net> {
        self.of_kind(AtomKind::Constant).filter(|net| net.symbol.parameter)
    }

    pub(super) fn memories(&self) -> Vec<StoredWords> {
        self.blocks.iter().filter(|block| block.is_memory()).map(stored_words).collect()
    }

    pub(super) fn registers(&self) -> Vec<Register> {
        self.blocks.iter().filter(|block| !block.is_memory()).map(register).collect()
    }

    /// Whether it is a memory that is read in some cycles only.
    pub(super) fn is_held(&self) -> bool {
        self.is_memory() && self.nets.iter().any(|net| net.name == "read")
    }

    pub(super) fn is_memory(&self) -> bool {
        self.timing.as_deref() == Some(MEMORY) || self.is_short()
    }

    /// Whether it is a memory that is read in the same cycle.
    pub(super) fn is_short(&self) -> bool {
        self.timing.as_deref() == Some(SHORT)
    }
}

#[derive(Default)]
struct Tree {
    open: Vec<Scope>,
    root: Option<Scope>,
}

impl Probe for Tree {
    fn visit_start_scope(&mut self, name: &str, node: &dyn Block) {
        let timing = node.timing();
        let purpose = purpose(&timing).unwrap_or_default().to_string();
        let collides = timing.iter().any(|info| info.name == COLLIDES);
        let block = timing.iter().any(|info| info.name == BLOCK);
        let asynchronous = timing.iter().any(|info| info.name == ASYNCHRONOUS);
        let timing = timing.into_iter().next().map(|info| info.name);
        self.open.push(Scope {
            name: name.into(),
            code: Some(node.hdl()),
            timing,
            collides,
            block,
            asynchronous,
            purpose,
            ..Scope::default()
        });
    }
    fn visit_atom(&mut self, name: &str, atom: &dyn Atom) {
        let net = Net {
            name: name.into(),
            kind: atom.kind(),
            bits: atom.bits(),
            literal: atom.verilog().to_string(),
            symbol: Symbol::decode(&atom.descriptor().name),
            vector: Symbol::marks(&atom.descriptor().name),
        };
        if let Some(scope) = self.open.last_mut() {
            scope.nets.push(net);
        }
    }
    fn visit_end_scope(&mut self, _: &str, _: &dyn Block) {
        let Some(scope) = self.open.pop() else { return };
        match self.open.last_mut() {
            Some(parent) => parent.blocks.push(scope),
            None => self.root = Some(scope),
        }
    }
}

pub(super) struct Register {
    pub(super) name: String,
    pub(super) range: String,
    /// What it is reset to, if it is.
    pub(super) reset: Option<String>,
    /// Whether that comes at any time.
    pub(super) asynchronous: bool,
    pub(super) purpose: String,
}

/// A memory of a cell.
pub(super) struct StoredWords {
    pub(super) name: String,
    pub(super) range: String,
    pub(super) addresses: String,
    /// The parameter that is the width of an address.
    pub(super) address_width: String,
    /// Whether nobody looks at a word that was read while it was written.
    pub(super) collides: bool,
    /// Whether it is a block RAM even if it is small.
    pub(super) block: bool,
    /// Whether the word read stays until the next is read.
    pub(super) held: bool,
    /// Whether a word is read in the same cycle.
    pub(super) short: bool,
    pub(super) purpose: String,
}

pub(super) fn stored_words(scope: &Scope) -> StoredWords {
    let net = |name: &str| scope.nets.iter().find(|net| net.name == name).expect("a memory has this pin");
    let address = net("read_address");
    let address_width = address.symbol.width.clone().expect("the width of an address is a parameter");
    StoredWords {
        name: scope.name.clone(),
        range: net("q").range(),
        addresses: address.range(),
        address_width,
        collides: scope.collides,
        block: scope.block,
        held: scope.is_held(),
        short: scope.is_short(),
        purpose: scope.purpose.clone(),
    }
}

pub(super) fn register(scope: &Scope) -> Register {
    let timing = scope.timing.as_deref().expect("the blocks inside a cell are registers and memories");
    let reset = timing.split_once(' ').map(|(_, text)| text).filter(|text| !text.is_empty());
    let q = scope.nets.iter().find(|net| net.name == "q").expect("a register has an output q");
    Register {
        name: scope.name.clone(),
        range: q.range(),
        reset: reset.map(String::from),
        asynchronous: scope.asynchronous,
        purpose: scope.purpose.clone(),
    }
}
