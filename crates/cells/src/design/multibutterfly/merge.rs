//! Words of many places, of which one at most has a word, as one.

use crate::cells::WordMergeSpec;
use crate::design::tree::reduce;
use crate::netlist::{Expr, Instance, Kind, Module, Of};

/// Whether there is a word, and the word.
#[derive(Clone)]
pub(super) struct Offer {
    pub take: Expr,
    pub word: Expr,
}

/// The tree of `offers`, its cells and nets numbered behind `name`. A single offer gives zeros when it is none, too.
pub(super) fn merge(module: &mut Module, name: &str, width: u32, mut offers: Vec<Offer>) -> Offer {
    if offers.len() == 1 {
        offers.push(Offer { take: Expr::constant(0, 1), word: Expr::constant(0, width) });
    }
    let mut count = 0;
    reduce(offers, |left, right| {
        let take = module.net(Kind::Wires, format!("{name}_take_{count}"), 1);
        let word = module.net(Kind::Wires, format!("{name}_word_{count}"), width);
        module.instances.push(
            Instance::new(format!("u_{name}_{count}"), Of::cell(WordMergeSpec { width }))
                .input("left_take_i", left.take)
                .input("left_word_i", left.word)
                .input("right_take_i", right.take)
                .input("right_word_i", right.word)
                .output("take_o", take)
                .output("word_o", word),
        );
        count += 1;
        Offer { take: take.into(), word: word.into() }
    })
}
