//! [`cell!`]: one table says what a cell is made with, its ports, its parts and its words; the kernel follows it.

pub(crate) use crate::atoms::{
    BitReg, Bus, Const, DataReg, FreeReg, HeldMemory, Memory, PresetReg, Reg, ShortMemory,
};
pub(crate) use crate::describe::{Assertion, Parameter, counter_bits};
pub(crate) use crate::kernel;
pub(crate) use crate::message::MessageWords;
pub(crate) use rust_hdl::prelude::*;
use std::fmt::Display;

/// Bits or numbers of a parameter as the parts of a cell take them.
pub(crate) trait Size {
    /// `usize` for bits and counts, `u64` for numbers.
    type Part;
    /// The value for simulation: words, whose member is `width`, are at most as wide as rust-hdl simulates.
    fn part(self, name: &str) -> Self::Part;
}

impl Size for u32 {
    type Part = usize;
    fn part(self, name: &str) -> usize {
        if name == "width" { crate::describe::simulated(self) } else { self as usize }
    }
}

impl Size for u64 {
    type Part = u64;
    fn part(self, _: &str) -> u64 {
        self
    }
}

macro_rules! as_it_is {
    ($($type:ty)+) => {
        $(impl Size for $type {
            type Part = Self;
            fn part(self, _: &str) -> Self {
                self
            }
        })+
    };
}
as_it_is!(MessageWords String Vec<bool> Vec<u64> Vec<(u64, u64)> Vec<Vec<(u64, bool)>>);

/// The module of an instance: its title, with the values that are part of its name in place of the words in capitals.
pub(crate) fn module(title: &str, values: &[&dyn Display]) -> String {
    let words = title.split('_').take_while(|word| word.chars().all(|letter| !letter.is_uppercase()));
    let values = values.iter().map(|value| value.to_string());
    words.map(String::from).chain(values).collect::<Vec<String>>().join("_")
}

/// The type of a port: `In Bit`, `Out Bus`.
macro_rules! port_type {
    ($dir:ident Bus) => { $crate::atoms::Bus<$dir> };
    ($dir:ident $kind:ident) => { Signal<$dir, $kind> };
}

/// A port before it is connected: of a bus with a parameter's name as its width, or with a number of bits.
macro_rules! port_value {
    (Bus $bits:expr, $name:literal) => {
        $crate::atoms::Bus::named($bits, $name)
    };
    (Bus $bits:expr) => {
        $crate::atoms::Bus::new($bits)
    };
    ($kind:ident) => {
        Default::default()
    };
}

/// A part before it is connected.
macro_rules! part_value {
    () => {
        Default::default()
    };
    ($value:expr) => {
        $value
    };
}

/// A parameter: `Name bits`, with the bits of its literal, or `Name` alone for a width or another plain integer.
macro_rules! parameter {
    ($name:ident, $value:expr, $meaning:literal) => {
        $crate::describe::Parameter::plain(stringify!($name), $value, $meaning)
    };
    ($name:ident, $value:expr, $meaning:literal, $bits:expr) => {
        $crate::describe::Parameter::sized(stringify!($name), $value, $bits, $meaning)
    };
}

/// What an instance is made with: nothing, or a member for each parameter. In brackets stand the members that are not `Copy`.
macro_rules! spec {
    ([] $block:ident $spec:ident $($members:tt)*) => {
        $crate::table::spec! { (Copy) $block $spec $($members)* }
    };
    ([$($owned:ident)+] $block:ident $spec:ident $($members:tt)*) => {
        $crate::table::spec! { () $block $spec $($members)* }
    };
    (($($copy:ident)?) $block:ident $spec:ident) => {
        #[doc = concat!("What an instance of [`", stringify!($block), "`](struct@", stringify!($block), ") is made with.")]
        #[derive(Clone, $($copy,)? Debug, PartialEq, Eq)]
        pub struct $spec;
    };
    (($($copy:ident)?) $block:ident $spec:ident $($member:ident: $type:ty, $said:literal;)+) => {
        #[doc = concat!("What an instance of [`", stringify!($block), "`](struct@", stringify!($block), ") is made with.")]
        #[derive(Clone, $($copy,)? Debug, PartialEq, Eq)]
        pub struct $spec {
            $(#[doc = $said] pub $member: $type,)+
        }
    };
}

/// A cell from one table. It declares the rust-hdl block, what an instance is made with, its ports and what it says about
/// itself ([`Describe`](crate::describe::Describe), [`Cell`](crate::cell::Cell)); the kernel (`impl kernel::Kernel`) stands behind it.
///
/// All registers and memories of the parts have the clock `clk_i`, and `rst_i` resets the registers but for those of data. A register
/// keeps its value where the kernel does not say what it takes next. `Out name: Bit = part.q` is an output that shows a part.
///
/// `parameters`: `Verilog(bits) member: type = example, "meaning";`, in the order of the module. `(bits)` is for a sized literal.
/// A parameter `W` is the width of the words, and its member is called `width`. `at_least` is the least value. Each member is a
/// variable of the same name for what follows: `usize` if it is a `u32`. `members` stands instead where a parameter is computed, and
/// `owned` where an instance is not `Copy`; `fn parameters` is then among what `describe` adds to
/// [`Describe`](crate::describe::Describe). `"frit_x_NUMBER" of member` is a cell with a module for each value of this member.
/// `ports`: `direction name: kind, "meaning";`, the kind being `Clock`, `Bit` or `Bus(bits, "Verilog")`.
/// `parts`: `name: type = value;`, registers, constants and local signals. `with` has what their values share.
macro_rules! cell {
    (
        $(#[$doc:meta])*
        $block:ident, $spec:ident, $module:literal $(of $($named:ident),+)?: $summary:literal; $details:literal;
        $(parameters { $(
            $parameter:ident $(($bits:expr))? $member:ident: $type:ty = $example:expr, $said:literal
            $(, at_least $least:literal)?;
        )+ })?
        $(members { $($other:ident: $other_type:ty = $other_example:expr, $other_said:literal;)+ })?
        $(owned { $($own:ident: $own_type:ty = $own_example:expr, $own_said:literal;)+ })?
        ports { $(
            $dir:ident $port:ident: $kind:ident $(($($width:tt)+))? $(= $shown:ident $(.$pin:ident)?)?, $meaning:literal;
        )+ }
        $(with { $($with:tt)* })?
        $(parts { $($part:ident: $part_type:ty $(= $part_value:expr)?;)+ })?
        $(describe { $($describe:tt)* })?
    ) => {
        $crate::table::spec! {
            [$($($own)+)?] $block $spec
            $($($member: $type, $said;)+)? $($($other: $other_type, $other_said;)+)? $($($own: $own_type, $own_said;)+)?
        }

        impl $crate::describe::Describe for $spec {
            fn module(&self) -> String {
                $crate::table::module($module, &[$($(&self.$named),+)?])
            }
            fn title(&self) -> &'static str {
                $module
            }
            fn summary(&self) -> &'static str {
                $summary
            }
            fn details(&self) -> &'static str {
                $details
            }
            $(fn parameters(&self) -> Vec<$crate::describe::Parameter> {
                let $spec { $($member,)+ } = *self;
                vec![$(
                    $crate::table::parameter!($parameter, $member, $said $(, $bits)?)$(.at_least($least))?,
                )+]
            })?
            fn prototype(&self) -> Box<dyn $crate::cell::Cell> {
                $crate::describe::ready($block::new(Clone::clone(self)))
            }
            fn example() -> Self {
                $spec { $($($member: $example,)+)? $($($other: $other_example,)+)? $($($own: $own_example,)+)? }
            }
            $($($describe)*)?
        }

        $(#[$doc])*
        #[derive(LogicBlock)]
        pub struct $block {
            $($port: $crate::table::port_type!($dir $kind),)+
            $($($part: $part_type,)+)?
        }

        impl $block {
            /// As the spec says.
            #[allow(unused_variables)]
            pub fn new(spec: $spec) -> Self {
                $($(let $member = $crate::table::Size::part(spec.$member, stringify!($member));)+)?
                $($(let $other = $crate::table::Size::part(spec.$other, stringify!($other));)+)?
                $($(let $own = $crate::table::Size::part(spec.$own, stringify!($own));)+)?
                $($($with)*)?
                $block {
                    $($port: $crate::table::port_value!($kind $($($width)+)?),)+
                    $($($part: $crate::table::part_value!($($part_value)?),)+)?
                }
            }
        }

        $crate::cell::cell_ports!($block: $($dir $port $meaning,)+);

        impl Logic for $block {
            #[inline]
            fn update(&mut self) {
                let (mut _clock, mut _reset) = (false, false);
                $(match stringify!($port) {
                    "clk_i" => _clock = $crate::cell::Wire::read(&self.$port) != 0,
                    "rst_i" => _reset = $crate::cell::Wire::read(&self.$port) != 0,
                    _ => (),
                })+
                $($(kernel::Part::begin(&mut self.$part, _clock.into(), _reset);)+)?
                kernel::Kernel::update(self);
                $($(self.$port.next = self.$shown $(.$pin)?.val();)?)+
            }
            fn connect(&mut self) {
                $($(kernel::Part::claim(&mut self.$part);)+)?
                kernel::Kernel::connect(self);
                $($({
                    let _ = stringify!($shown);
                    self.$port.connect();
                })?)+
            }
            fn hdl(&self) -> Verilog {
                let parts: &[(&str, &[&str])] = &[$($((stringify!($part), kernel::pins(&self.$part)),)+)?];
                let shown = &[$($((stringify!($port), concat!(stringify!($shown) $(, ".", stringify!($pin))?)),)?)+];
                kernel::whole(kernel::Kernel::hdl(self), parts, shown)
            }
        }
    };
}

/// A comment of a kernel, above the statements that it is about, in the emitted text too; `""` ends what it is about.
macro_rules! comment {
    ($text:literal) => {};
}
pub(crate) use {cell, comment, parameter, part_value, port_type, port_value, spec};
