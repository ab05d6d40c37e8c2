use crate::table::*;

cell! {
    /// A node of the tree that brings words of many places together: one of the two halves, or their OR.
    WordMerge, WordMergeSpec, "frit_word_merge":
    "Joins two halves of a tree. At most one half has a word; the output is that word, or zeros.";
    "If both halves have a word, the output is their OR. Combinational. No state.";
    parameters {
        W width: u32 = 8, "bits of a word";
    }
    ports {
        In left_take_i: Bit, "the left half has a word";
        In left_word_i: Bus(width, "W"), "word of the left half";
        In right_take_i: Bit, "the right half has a word";
        In right_word_i: Bus(width, "W"), "word of the right half";
        Out take_o: Bit, "word_o holds a word, same cycle";
        Out word_o: Bus(width, "W"), "word, same cycle";
    }
    parts {
        none: Const = Const::zero(width, "W");
        left: Bus<Local> = Bus::named(width, "W");
        right: Bus<Local> = Bus::named(width, "W");
    }
}

impl kernel::Kernel for WordMerge {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("At most one of the two is taken; a word that is not taken counts as 0.");
        self.left.next = self.none.val();
        self.right.next = self.none.val();
        if self.left_take_i.val() {
            self.left.next = self.left_word_i.val();
        }
        if self.right_take_i.val() {
            self.right.next = self.right_word_i.val();
        }
        comment!("");
        self.take_o.next = self.left_take_i.val() | self.right_take_i.val();
        self.word_o.next = self.left.val() | self.right.val();
    }
}
