//! Words of many places, of which one at most has a word, as one.

use crate::cells::WordMergeSpec;
use crate::design::tree::reduce;
use crate::netlist::{Expr, Instance, Kind, Module, Of};

/// Whether there is a word, and the word.
#[derive(Clone)]
pub struct Offer {
    pub take: Expr,
    pub word: Expr,
}

/// Whether anyone asks if there is a word at all.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Take {
    Used,
    /// Only the word is.
    Unused,
}

/// The tree of `offers`, its cells and nets numbered behind `name`. A single offer gives zeros when it is none, too.
pub fn merge(module: &mut Module, name: &str, width: u32, mut offers: Vec<Offer>, of_all: Take) -> Offer {
    if offers.len() == 1 {
        offers.push(Offer { take: Expr::constant(0, 1), word: Expr::constant(0, width) });
    }
    let last = offers.len() - 2;
    let mut count = 0;
    reduce(offers, |left, right| {
        let used = count < last || of_all == Take::Used;
        let take = used.then(|| module.net(Kind::Wires, format!("{name}_take_{count}"), 1));
        let word = module.net(Kind::Wires, format!("{name}_word_{count}"), width);
        module.instances.push(
            Instance::new(format!("u_{name}_{count}"), Of::cell(WordMergeSpec { width }))
                .input("left_take_i", left.take)
                .input("left_word_i", left.word)
                .input("right_take_i", right.take)
                .input("right_word_i", right.word)
                .outputs("take_o", vec![take])
                .output("word_o", word),
        );
        count += 1;
        Offer { take: take.map_or_else(|| Expr::constant(0, 1), Expr::from), word: word.into() }
    })
}
