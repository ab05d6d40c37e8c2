//! The named orders of `permute`: what each is, which options it takes, and how it is made.

use crate::order::{MAX_AXES, MAX_TABLE, MAX_WORDS, Order, axes, bit_reversal, transpose};
use frit_network::name::beginning;
use frit_network::options::{OptionSpec, Request, numbers};
use frit_network::{Refusal, refusal, refuse};

/// A named order.
struct Named {
    key: &'static str,
    /// The options that say which order of this kind it is.
    takes: &'static [&'static str],
    make: fn(&Request) -> Result<Order, Refusal>,
}

/// The names, in the order of [`NAMED`].
pub(crate) const KINDS: &[&str] =
    &["bitrev", "stride", "shuffle", "axes", "digitrev", "affine", "pfa", "crt"];

const NAMED: [Named; 8] = [
    Named { key: "bitrev", takes: &["words"], make: reversed_bits },
    Named {
        key: "stride",
        takes: &["words", "stride"],
        make: |request| strided(request, given(request, "stride", 2)),
    },
    Named { key: "shuffle", takes: &["words"], make: |request| strided(request, 2) },
    Named { key: "axes", takes: &["shape", "axes"], make: array },
    Named { key: "digitrev", takes: &["words", "radix"], make: reversed_digits },
    Named { key: "affine", takes: &["words", "a", "c"], make: affine },
    Named { key: "pfa", takes: &["factors"], make: |request| prime_factor(request, good) },
    Named { key: "crt", takes: &["factors"], make: |request| prime_factor(request, residues) },
];

fn named(kind: &str) -> &'static Named {
    NAMED.iter().find(|named| named.key == kind).expect("the kinds are those of the table")
}

/// The order of this kind; the options are complete.
pub(crate) fn order(request: &Request) -> Result<Order, Refusal> {
    (named(&request.options["kind"]).make)(request)
}

/// Refuses an option of another kind than this one, unless it has its default; `request` has only what was given, and `specs` are the options.
pub(crate) fn refuse_others(
    request: &Request,
    kind: &str,
    specs: &'static [OptionSpec],
) -> Result<(), Refusal> {
    refuse_but(request, named(kind).takes, specs, || {
        format!("kind={kind}, which takes {}", named(kind).takes.join(" and "))
    })
}

/// Refuses the options of named orders beside a file that gives the order.
pub(crate) fn refuse_named(request: &Request, specs: &'static [OptionSpec]) -> Result<(), Refusal> {
    refuse_but(request, &[], specs, || "an order from a file".into())
}

fn refuse_but(
    request: &Request,
    own: &[&str],
    specs: &'static [OptionSpec],
    to: impl Fn() -> String,
) -> Result<(), Refusal> {
    let default = |name: &str| specs.iter().find(|spec| spec.name == name)?.values.default();
    let is_given =
        |name: &str| request.options.get(name).is_some_and(|given| Some(given) != default(name).as_ref());
    let kind = own.is_empty().then_some(&"kind");
    let others = NAMED.iter().flat_map(|named| named.takes).filter(|option| !own.contains(option));
    match kind.into_iter().chain(others).find(|option| is_given(option)) {
        Some(option) => {
            Err(refusal!("{option} does not apply to {}; leave it out, or give another kind of order", to()))
        }
        None => Ok(()),
    }
}

pub(crate) fn given(request: &Request, option: &str, otherwise: u64) -> u64 {
    request.options.get(option).and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

pub(crate) fn small(what: String, words: u64, most: u64, advice: &'static str) -> Result<(), Refusal> {
    if words > most {
        Err(refusal!("{what} has {words} words, more than the {most} that are possible; {advice}"))
    } else {
        Ok(())
    }
}

/// The words of a data set, with what they are called in an error.
fn words_of(request: &Request, most: u64) -> Result<u64, Refusal> {
    let words = given(request, "words", request.terminals * request.terminals);
    small(format!("kind={}", request.options["kind"]), words, most, "give fewer words")?;
    Ok(words)
}

/// Of a number of words that the order does not have.
fn no_such(request: &Request, words: u64, advice: String) -> Refusal {
    let kind = &request.options["kind"];
    refusal!("{kind} of {words} words does not exist; {advice}")
}

fn reversed_bits(request: &Request) -> Result<Order, Refusal> {
    let words = words_of(request, MAX_WORDS)?;
    if !words.is_power_of_two() {
        let advice = format!("give a power of two, for example words={}", words.next_power_of_two());
        return Err(no_such(request, words, advice));
    }
    Ok(bit_reversal(words.trailing_zeros()))
}

/// Digits in base R in the reversed order, as an FFT of radix R leaves them: digits of a power of two are groups of bits.
fn reversed_digits(request: &Request) -> Result<Order, Refusal> {
    let (words, radix) = (words_of(request, MAX_WORDS)?, given(request, "radix", 4));
    let powers = || std::iter::successors(Some(radix), |power| power.checked_mul(radix));
    let Some(digits) = powers().take_while(|&power| power <= words).position(|power| power == words) else {
        let lanes = request.terminals;
        let fits = |&power: &u64| power >= 2 * lanes && power.is_multiple_of(lanes);
        let mut all = powers().take_while(|&power| power <= MAX_WORDS).filter(fits);
        let Some(next) = all.find(|&power| power > words) else {
            let advice = format!(
                "no power of the radix {radix} is a multiple of the {lanes} words of a cycle; give another radix or -n"
            );
            return Err(no_such(request, words, advice));
        };
        return Err(no_such(
            request,
            words,
            format!("give a power of the radix {radix}, for example words={next}"),
        ));
    };
    let shape = vec![radix as u32; digits + 1];
    let order = axes(&shape, &(0..=digits).rev().collect::<Vec<_>>());
    Ok(order)
}

fn strided(request: &Request, stride: u64) -> Result<Order, Refusal> {
    let words = words_of(request, MAX_WORDS)?;
    if !words.is_multiple_of(stride) {
        let next = words.next_multiple_of(stride);
        let advice = format!("give a multiple of the stride {stride}, for example words={next}");
        return Err(no_such(request, words, advice));
    }
    // Word a·(words/stride) + b goes to b·stride + a.
    Ok(transpose(stride as u32, (words / stride) as u32))
}

/// Word i goes to place a·i + c modulo the words: automorphisms x → x^a of number-theoretic transforms, interleavers, rotations (a = 1).
fn affine(request: &Request) -> Result<Order, Refusal> {
    let words = words_of(request, MAX_TABLE)?;
    let (a, c) = (given(request, "a", 5), given(request, "c", 0));
    let common = divisor(a, words);
    if common > 1 {
        refuse!(
            "a={a} and {words} words have the divisor {common} in common, so several words would go to one place; give another a, for example a={}",
            (a..=MAX_WORDS).chain((1..a).rev()).find(|&a| divisor(a, words) == 1).unwrap_or(1)
        );
    }
    Ok(Order::of_table((0..words).map(|word| ((a * word + c) % words) as u32).collect()))
}

/// The greatest common divisor (Euclid).
fn divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { divisor(b, a % b) }
}

/// Words 0, 1, 2, … go to the places of an array with these axes, the last one the fastest; `index` says which index of an axis word i has,
/// given i, the length of the axis and all words.
fn prime_factor(request: &Request, index: fn(u64, u64, u64) -> u64) -> Result<Order, Refusal> {
    let text = request.options.get("factors").cloned().unwrap_or_default();
    let Some(factors) = numbers(',', &text).filter(|factors| factors.len() > 1) else {
        refuse!(
            "factors {:?} are not the lengths of two axes or more; give for example --set factors=7,9,16",
            beginning(&text)
        );
    };
    let factors: Vec<u64> = factors.into_iter().map(u64::from).collect();
    let words = factors.iter().fold(1u64, |words, &length| words.saturating_mul(length));
    small(format!("a prime-factor order of {text}"), words, MAX_TABLE, "give smaller factors")?;
    let pairs = || (0..factors.len()).flat_map(|b| (0..b).map(move |a| (a, b)));
    if let Some((a, b)) = pairs().find(|&(a, b)| divisor(factors[a], factors[b]) > 1) {
        let common = divisor(factors[a], factors[b]);
        refuse!(
            "factors {text}: {} and {} have the divisor {common} in common, so the order does not exist; give factors without one, for example 7,9,16",
            factors[a],
            factors[b]
        );
    }
    let place =
        |word: u64| factors.iter().fold(0, |place, &length| place * length + index(word, length, words));
    Ok(Order::of_table((0..words).map(|word| place(word) as u32).collect()))
}

/// Good's map: i is the sum of n·(words / length) over the axes, modulo the words (I. J. Good, 1958).
fn good(word: u64, length: u64, words: u64) -> u64 {
    let step = words / length % length;
    (0..length).find(|index| index * step % length == word % length).expect("the step has an inverse")
}

/// The Chinese remainder map: the remainder of i by the length.
fn residues(word: u64, length: u64, _: u64) -> u64 {
    word % length
}

fn array(request: &Request) -> Result<Order, Refusal> {
    let text = |option: &'static str| request.options.get(option).cloned().unwrap_or_default();
    let (shape_text, axes_text) = (text("shape"), text("axes"));
    let wrong = |option, given: &str, what: String, example| {
        refusal!("{option} {given:?} is not {what}; give for example --set {option}={example}")
    };
    // What is given has been read already; it may be missing.
    let Some(shape) = numbers('x', &shape_text) else {
        let what = "a shape: lengths of 1 or more with an x between them".to_string();
        return Err(wrong("shape", &shape_text, what, "1x128x12x32"));
    };
    if shape.len() > MAX_AXES {
        let what = format!("the shape of an array with {MAX_AXES} axes or fewer");
        return Err(wrong("shape", &beginning(&shape_text), what, "1x128x12x32"));
    }
    let order = numbers(',', &axes_text).unwrap_or_default();
    let mut sorted = order.clone();
    sorted.sort_unstable();
    if !sorted.iter().copied().eq(0..shape.len() as u32) {
        let what = format!(
            "an order of the {} axes of the shape, each from 0 to {} once",
            shape.len(),
            shape.len() - 1
        );
        return Err(wrong("axes", &axes_text, what, "0,2,1,3"));
    }
    let words = shape.iter().fold(1u64, |words, &length| words.saturating_mul(length.into()));
    small(format!("an array of {shape_text}"), words, MAX_WORDS, "give a smaller shape")?;
    let order: Vec<usize> = order.into_iter().map(|axis| axis as usize).collect();
    Ok(axes(&shape, &order))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::streamed;

    fn request(options: &str) -> Request {
        let options = options.split_whitespace().map(|option| option.split_once('=').unwrap());
        options.fold(Request::new("permute", 4), |request, (key, value)| request.with(key, value))
    }

    fn places(options: &str) -> Vec<u64> {
        let order = streamed(&request(options)).unwrap().order;
        (0..order.words()).map(|word| order.destination(word)).collect()
    }

    #[test]
    fn names_are_those_of_the_table() {
        assert!(NAMED.iter().map(|named| named.key).eq(KINDS.iter().copied()));
    }

    #[test]
    fn orders_are_their_definitions() {
        let digits = |radix: u64, count: u32, mut word: u64| {
            (0..count).fold(0, |reversed, _| {
                let digit = word % radix;
                word /= radix;
                reversed * radix + digit
            })
        };
        assert_eq!(places("kind=digitrev words=64"), (0..64).map(|i| digits(4, 3, i)).collect::<Vec<_>>());
        assert_eq!(
            places("kind=digitrev words=216 radix=6"),
            (0..216).map(|i| digits(6, 3, i)).collect::<Vec<_>>()
        );
        assert_eq!(
            places("kind=affine words=20 a=3 c=21"),
            (0..20).map(|i| (3 * i + 1) % 20).collect::<Vec<_>>()
        );
        let crt: Vec<u64> = (0..1008).map(|i| ((i % 7) * 9 + i % 9) * 16 + i % 16).collect();
        assert_eq!(places("kind=crt factors=7,9,16"), crt);
        let mut pfa = vec![0; 1008];
        for (place, index) in
            (0..7).flat_map(|a| (0..9).flat_map(move |b| (0..16).map(move |c| (a, b, c)))).enumerate()
        {
            let (a, b, c) = index;
            pfa[(144 * a + 112 * b + 63 * c) % 1008] = place as u64;
        }
        assert_eq!(places("kind=pfa factors=7,9,16"), pfa);
    }

    /// A transform of 60 points as the prime-factor algorithm does it: Good's order in, a transform along each axis, the Chinese order out. It has no
    /// twiddle factors, and the numbers are exact modulo 61.
    #[test]
    fn a_prime_factor_transform_needs_both_orders() {
        const P: u64 = 61;
        let power = |base: u64, exponent: u64| (0..exponent).fold(1, |product, _| product * base % P);
        let root = (2..P).find(|&root| [30, 20, 12].iter().all(|&part| power(root, part) != 1)).unwrap();
        let words: Vec<u64> = (0..60).map(|i| (i * i * 7 + 3 * i + 5) % P).collect();
        let plain: Vec<u64> = (0..60)
            .map(|k| (0..60).map(|i| words[i as usize] * power(root, i * k % 60)).sum::<u64>() % P)
            .collect();
        let mut cube = vec![0; 60];
        places("kind=pfa factors=3,4,5")
            .into_iter()
            .zip(&words)
            .for_each(|(to, &word)| cube[to as usize] = word);
        for (length, stride) in [(3u64, 20), (4, 5), (5, 1)] {
            let before = cube.clone();
            for (at, value) in (0..60).zip(&mut cube) {
                let k = at / stride % length;
                let term = |n: u64| {
                    before[(at - k * stride + n * stride) as usize] * power(root, n * k * (60 / length) % 60)
                };
                *value = (0..length).map(term).sum::<u64>() % P;
            }
        }
        let mut out = vec![0; 60];
        places("kind=crt factors=3,4,5 inverse=yes")
            .into_iter()
            .zip(cube)
            .for_each(|(to, value)| out[to as usize] = value);
        assert_eq!(out, plain);
        // Good's order at both ends makes another transform.
        let mut wrong = vec![0; 60];
        places("kind=pfa factors=3,4,5 inverse=yes")
            .into_iter()
            .zip(out)
            .for_each(|(to, value)| wrong[to as usize] = value);
        assert_ne!(wrong, plain);
    }

    #[test]
    fn an_inverse_brings_the_words_back() {
        for options in [
            "kind=bitrev words=64",
            "kind=stride words=24 stride=3",
            "kind=digitrev words=36 radix=6",
            "kind=affine words=64 a=5 c=3",
            "kind=pfa factors=4,7",
            "kind=axes shape=4x8x16 axes=2,0,1",
            "kind=axes shape=4x3x5 axes=2,1,0",
        ] {
            let (there, back) = (places(options), places(&format!("{options} inverse=yes")));
            assert!((0..).zip(&there).all(|(word, &place)| back[place as usize] == word), "{options}");
        }
    }

    #[test]
    fn what_is_refused_is_named_with_what_to_do() {
        let error = |options: &str| streamed(&request(options)).unwrap_err().to_string();
        for (options, says) in [
            (
                "kind=digitrev words=32",
                "digitrev of 32 words does not exist; give a power of the radix 4, for example words=64",
            ),
            ("kind=affine words=20 a=4", "a=4 and 20 words have the divisor 4 in common"),
            ("kind=affine words=20 a=4", "for example a=7"),
            ("kind=affine words=131072", "more than the 65536 that are possible"),
            ("kind=pfa", "factors \"\" are not the lengths of two axes or more"),
            ("kind=pfa factors=6,4", "6 and 4 have the divisor 2 in common"),
            ("kind=crt factors=65521,65519", "more than the 65536 that are possible; give smaller factors"),
            (
                "kind=bitrev words=64 stride=4",
                "stride does not apply to kind=bitrev, which takes words; leave it out",
            ),
            (
                "kind=affine words=64 shape=8x8",
                "shape does not apply to kind=affine, which takes words and a and c",
            ),
        ] {
            assert!(error(options).contains(says), "{options}: {}", error(options));
        }
    }
}
