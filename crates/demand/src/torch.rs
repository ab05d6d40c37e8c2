//! Uneven all-to-all exchanges that PyTorch recorded: `torch.distributed.all_to_all_single` with split sizes, in a JSON file for each rank.
//!
//! Two forms are read. torch.profiler (Kineto) writes `traceEvents`: an event `record_param_comms` has the arguments `Collective name`
//! (`all_to_allv`), `In split size`, `Out split size`, `In msg nelems`, `dtype` and `Rank`, the rank in its group. The
//! `ExecutionTraceObserver`, whose files Chakra converts, writes `nodes`, whose attributes have the names `collective_name`,
//! `in_split_size` and so on (PyTorch, `torch/csrc/profiler/util.cpp` and `standalone/execution_trace_observer.cpp`). The profiler cuts
//! lists of more than 30 ranks off.

use crate::demand::Demand;
use crate::order::{in_order, rank_of};
use crate::reading::{Origin, Reading};
use frit_network::name::beginning;
use frit_network::{Refusal, refusal, refuse};
use serde::Deserialize;
use serde::de::{Deserializer, Error, SeqAccess, Visitor};
use serde_json::{Map, Value};
use std::fmt;

#[derive(Deserialize)]
struct File {
    #[serde(default, rename = "traceEvents", deserialize_with = "exchanges")]
    events: Vec<Exchange>,
    #[serde(default, deserialize_with = "exchanges")]
    nodes: Vec<Exchange>,
    #[serde(rename = "distributedInfo")]
    distributed: Option<Distributed>,
}

#[derive(Deserialize)]
struct Distributed {
    rank: Option<u64>,
}

/// An event, with arguments, or a node, with attributes.
#[derive(Deserialize)]
struct Record {
    #[serde(default)]
    name: String,
    args: Option<Args>,
    #[serde(default)]
    attrs: Vec<Attribute>,
}

#[derive(Deserialize)]
struct Attribute {
    name: String,
    value: Value,
}

/// What is read of an event, or of a node. Other events may have anything there.
#[derive(Deserialize)]
struct Args {
    #[serde(rename = "Collective name", alias = "collective_name")]
    collective: Option<Value>,
    #[serde(rename = "In split size", alias = "in_split_size")]
    sent: Option<Value>,
    #[serde(rename = "Out split size", alias = "out_split_size")]
    received: Option<Value>,
    #[serde(rename = "In msg nelems", alias = "in_msg_nelems")]
    elements: Option<Value>,
    #[serde(rename = "Rank")]
    rank: Option<Value>,
    dtype: Option<Value>,
}

/// The uneven exchanges of one rank.
pub(crate) struct Trace {
    exchanges: Vec<Exchange>,
    rank: Option<u64>,
}

struct Exchange {
    sent: Splits,
    received: Splits,
    elements: Option<u64>,
    dtype: String,
    rank: Option<u64>,
}

/// Rows of a tensor for each rank.
enum Splits {
    All(Vec<u64>),
    /// The profiler has left the last ones out.
    Cut,
}

/// Bytes of an element.
const BYTES: [(&[&str], u64); 4] = [
    (&["Byte", "Char", "Bool", "Float8_e5m2", "Float8_e4m3fn", "Float8_e5m2fnuz", "Float8_e4m3fnuz"], 1),
    (&["Short", "Half", "BFloat16", "UInt16"], 2),
    (&["Int", "Float", "ComplexHalf", "UInt32"], 4),
    (&["Long", "Double", "ComplexFloat", "UInt64"], 8),
];

/// Whether a text is such a trace.
pub(crate) fn is_trace(text: &str) -> bool {
    text.trim_start().starts_with('{')
        && ["\"traceEvents\"", "\"nodes\""].iter().any(|key| text.contains(key))
}

pub(crate) fn parse(text: &str) -> Result<Trace, Refusal> {
    let damaged = |error: serde_json::Error| refusal!("the trace of PyTorch is damaged: {error}");
    let File { mut events, nodes, distributed } = serde_json::from_str(text).map_err(damaged)?;
    events.extend(nodes);
    Ok(Trace { exchanges: events, rank: distributed.and_then(|distributed| distributed.rank) })
}

/// The exchanges of a list of events. Its other events, millions of them, are never in memory together.
fn exchanges<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Exchange>, D::Error> {
    struct Records;
    impl<'de> Visitor<'de> for Records {
        type Value = Vec<Exchange>;
        fn expecting(&self, to: &mut fmt::Formatter) -> fmt::Result {
            to.write_str("a list of events")
        }
        fn visit_seq<A: SeqAccess<'de>>(self, mut records: A) -> Result<Vec<Exchange>, A::Error> {
            let mut all = Vec::new();
            while let Some(Record { name, args, attrs }) = records.next_element()? {
                if name == "record_param_comms" {
                    let attrs = attrs.into_iter().map(|Attribute { name, value }| (name, value));
                    let of_node = || serde_json::from_value(Value::Object(attrs.collect::<Map<_, _>>()));
                    let args = args.map_or_else(of_node, Ok).map_err(A::Error::custom)?;
                    all.extend(exchange(args).map_err(A::Error::custom)?);
                }
            }
            Ok(all)
        }
    }
    from.deserialize_seq(Records)
}

/// The exchange that an event records, if it is an uneven one.
fn exchange(args: Args) -> Result<Option<Exchange>, Refusal> {
    let text = |value: &Option<Value>| value.as_ref().and_then(Value::as_str).unwrap_or_default().to_string();
    let letters = text(&args.collective).to_ascii_lowercase().replace('_', "");
    let number = |value: Option<Value>| value.and_then(|value| value.as_u64());
    Ok(match letters == "alltoallv" {
        false => None,
        true => Some(Exchange {
            sent: splits(args.sent)?,
            received: splits(args.received)?,
            elements: number(args.elements),
            dtype: text(&args.dtype),
            rank: number(args.rank),
        }),
    })
}

/// `[3, 0, 5]`, in quotes or without.
fn splits(value: Option<Value>) -> Result<Splits, Refusal> {
    let text = match value {
        None => return Ok(Splits::All(Vec::new())),
        Some(Value::String(text)) => text,
        Some(other) => other.to_string(),
    };
    if text.trim_end_matches([']', ' ']).ends_with("...") {
        return Ok(Splits::Cut);
    }
    serde_json::from_str(&text).map(Splits::All).map_err(|_| {
        refusal!(
            "the split sizes {:?} of an all_to_allv are no list of whole numbers from 0 on, as [3, 0, 5]",
            beginning(&text)
        )
    })
}

impl Exchange {
    /// The split sizes if they are those of so many ranks.
    fn sent_to(&self, ranks: usize) -> Option<&[u64]> {
        of_size(&self.sent, ranks)
    }

    /// Words for each rank: one for each row of the tensor, or as many as hold the bytes. Also the bytes.
    fn words(&self, sent: &[u64], word_bytes: Option<u32>) -> Result<(Vec<u64>, u64), Refusal> {
        let rows = sent.iter().map(|&split| u128::from(split)).sum::<u128>();
        let (Some(word), true) = (word_bytes, rows > 0) else { return Ok((sent.to_vec(), 0)) };
        let size = BYTES.iter().find(|(names, _)| names.contains(&self.dtype.as_str()));
        let elements = self.elements.map(u128::from).filter(|elements| elements.is_multiple_of(rows));
        let (Some((_, size)), Some(elements)) = (size, elements) else {
            refuse!(
                "the bytes of an all_to_allv are not known: {} elements of type {:?} in {rows} rows; leave --word-bytes out, a word is then a row",
                self.elements.unwrap_or(0),
                beginning(&self.dtype)
            );
        };
        // Rows times elements of a row are no more than all elements, so this does not overflow.
        let bytes = sent.iter().map(|&split| u128::from(split) * (elements / rows) * u128::from(*size));
        let word = u128::from(word);
        let words = bytes.clone().map(|bytes| u64::try_from(bytes.div_ceil(word)).unwrap_or(u64::MAX));
        Ok((words.collect(), u64::try_from(bytes.sum::<u128>()).unwrap_or(u64::MAX)))
    }
}

fn of_size(splits: &Splits, ranks: usize) -> Option<&[u64]> {
    match splits {
        Splits::All(splits) if splits.len() == ranks => Some(splits),
        _ => None,
    }
}

/// One exchange of the traces of all ranks: what a rank sends must be what the others receive.
pub(crate) fn demand(traces: Vec<(String, Trace)>, reading: Reading) -> Result<(Demand, Origin), Refusal> {
    let n = traces.len();
    reading.need_only("a trace of PyTorch", &["--collective"])?;
    let mut all = Vec::new();
    for (name, Trace { exchanges, rank }) in traces {
        let cut = exchanges.iter().any(|exchange| matches!(exchange.sent, Splits::Cut));
        let mut exchanges: Vec<_> =
            exchanges.into_iter().filter(|exchange| exchange.sent_to(n).is_some()).collect();
        let chosen = match (reading.collective, exchanges.len()) {
            (_, 0) if cut => refuse!(
                "{name} has only the first 30 split sizes of an all_to_allv, which torch.profiler cuts off; record the exchange with torch.profiler.ExecutionTraceObserver"
            ),
            (_, 0) => refuse!(
                "{name} has no all_to_allv with the split sizes of {n} ranks; give the traces of all ranks of one group that calls all_to_all_single with split sizes"
            ),
            (None, 1) => 0,
            (None, many) => refuse!(
                "{name} has {many} collectives all_to_allv of {n} ranks; choose one (frit demand FILE … --collective K, 0 to {})",
                many - 1
            ),
            (Some(chosen), many) if chosen < many => chosen,
            (Some(chosen), many) => {
                refuse!("collective {chosen} is out of range; {name} has the collectives 0 to {}", many - 1)
            }
        };
        let exchange = exchanges.swap_remove(chosen);
        all.push((exchange.rank.or(rank).or_else(|| rank_of(&name)), name, exchange));
    }
    let all = in_order(all)?;
    let (mut rows, mut total) = (Vec::new(), 0u64);
    for (from, (name, exchange)) in all.iter().enumerate() {
        let sent = exchange.sent_to(n).unwrap_or_default();
        for (to, (other, exchange)) in all.iter().enumerate() {
            if let Some(received) =
                of_size(&exchange.received, n).filter(|received| received[from] != sent[to])
            {
                refuse!(
                    "{name} sends {} rows to rank {to}, but {other} receives {} from rank {from}: these are different exchanges; record the same steps on all ranks",
                    sent[to],
                    received[from]
                );
            }
        }
        let (words, bytes) = exchange.words(sent, reading.word_bytes)?;
        total = total.saturating_add(bytes);
        rows.push(words);
    }
    let origin = Origin { bytes: reading.word_bytes.map(|_| total), ..Origin::default() };
    Ok((Demand::from_rows(&rows)?, origin))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ranks::{self, RankFile};

    /// An event, as the profiler writes it; the rank is left out if there is none.
    fn event(sent: &str, received: &str, elements: u64, rank: Option<u64>) -> String {
        let rank = rank.map_or(String::new(), |rank| format!(", \"Rank\": {rank}"));
        format!(
            "{{\"ph\": \"X\", \"name\": \"record_param_comms\", \"args\": {{\"Collective name\": \"all_to_allv\", \"dtype\": \"BFloat16\", \
             \"In msg nelems\": {elements}, \"In split size\": \"{sent}\", \"Out split size\": \"{received}\"{rank}}}}}"
        )
    }

    fn profile(events: &[String]) -> String {
        let other =
            "{\"ph\": \"f\", \"id\": 1}, {\"name\": \"x\", \"args\": {\"Rank\": \"no\", \"dtype\": 3}}, ";
        format!("{{\"schemaVersion\": 1, \"traceEvents\": [{other}{}]}}", events.join(", "))
    }

    fn of(files: &[(&str, &str)], reading: Reading) -> Result<(Demand, Origin), Refusal> {
        let files = files.iter().map(|(name, text)| RankFile::parse(name, text.as_bytes()));
        ranks::demand(files.collect::<Result<_, _>>()?, reading)
    }

    /// Rank 0 sends 5 rows to itself and 2 to rank 1, which sends 3 and 0; a row has 10 elements of 2 bytes.
    fn two() -> [String; 2] {
        [
            profile(&[event("[5, 2]", "[5, 3]", 70, Some(0))]),
            profile(&[event("[3, 0]", "[2, 0]", 30, Some(1))]),
        ]
    }

    #[test]
    fn the_splits_of_all_ranks_are_a_demand() {
        let [zero, one] = two();
        // The events say the ranks, whatever the names are.
        let made = of(&[("rank0", &one), ("rank1", &zero)], Reading::default()).unwrap();
        assert_eq!((made.0.matrix(), made.1), (&[5, 2, 3, 0][..], Origin::default()));
        // Words of 16 bytes, rounded up: 100, 40, 60 and 0 bytes.
        let bytes = Reading { word_bytes: Some(16), ..Reading::default() };
        let (demand, origin) = of(&[("a", &zero), ("b", &one)], bytes).unwrap();
        assert_eq!((demand.matrix(), origin.bytes), (&[7, 3, 4, 0][..], Some(200)));
        // Of several collectives the one that is chosen; those of other groups do not count.
        let events = |sent: &str, received: &str, rank| {
            [
                event("[1, 1, 1]", "[]", 3, None),
                event("[0, 9]", "[0, 9]", 9, rank),
                event(sent, received, 7, rank),
            ]
        };
        let files =
            [profile(&events("[5, 2]", "[5, 3]", Some(0))), profile(&events("[3, 0]", "[2, 0]", Some(1)))];
        let files = [("a", files[0].as_str()), ("b", files[1].as_str())];
        let chosen = |k| of(&files, Reading { collective: Some(k), ..Reading::default() });
        assert_eq!(chosen(1).unwrap().0.matrix(), [5, 2, 3, 0]);
        let said = |made: Result<(Demand, Origin), Refusal>| made.unwrap_err().to_string();
        assert!(said(chosen(2)).starts_with("collective 2 is out of range; a has the collectives 0 to 1"));
        let many = said(of(&files, Reading::default()));
        assert!(many.contains("a has 2 collectives all_to_allv of 2 ranks; choose one"), "{many}");
    }

    #[test]
    fn execution_traces_have_the_same_splits() {
        let node = |sent: &str, received: &str| {
            let attribute = |(name, kind, value): (&str, &str, String)| {
                format!("{{\"name\": \"{name}\", \"type\": \"{kind}\", \"value\": {value}}}")
            };
            let attributes = [
                ("rf_id", "uint64", "12".into()),
                ("collective_name", "string", "\"all_to_allv\"".into()),
                ("dtype", "string", "\"Float\"".into()),
                ("in_msg_nelems", "uint64", "70".into()),
                ("in_split_size", "string", format!("\"{sent}\"")),
                ("out_split_size", "string", format!("\"{received}\"")),
                ("pg_size", "uint64", "2".into()),
            ]
            .map(attribute)
            .join(", ");
            format!(
                "{{\"schema\": \"1.1.1-chakra.0.0.4\", \"pid\": 7, \"nodes\": [{{\"id\": 1, \"name\": \"[root]\"}}, \
                 {{\"id\": 2, \"name\": \"record_param_comms\", \"attrs\": [{attributes}]}}]}}"
            )
        };
        let (zero, one) = (node("[5, 2]", "[5, 3]"), node("[3, 4]", "[2, 4]"));
        let of_bytes = |files: &[(&str, &str)], word_bytes| {
            of(files, Reading { word_bytes, ..Reading::default() }).unwrap().0.matrix().to_vec()
        };
        // The names say the ranks.
        assert_eq!(of_bytes(&[("1.json", &one), ("0.json", &zero)], None), [5, 2, 3, 4]);
        assert_eq!(of_bytes(&[("1.json", &one), ("0.json", &zero)], Some(40)), [5, 2, 3, 4]);
    }

    #[test]
    fn damage_is_explained() {
        let [zero, one] = two();
        let with = |sent: &str, received: &str, rank| {
            let file = profile(&[event(sent, received, 31, rank)]);
            of(&[("a", &zero), ("b", &file)], Reading { word_bytes: Some(4), ..Reading::default() })
                .unwrap_err()
                .to_string()
        };
        let pair = |first: &str, second: &str, reading| {
            of(&[("a", first), ("b", second)], reading).unwrap_err().to_string()
        };
        let plain = Reading::default();
        let layer = Reading { layer: Some(0), ..plain };
        for (said, expected) in [
            // The last bytes are missing.
            (pair(&zero, &one[..one.len() - 9], plain), "the trace of PyTorch is damaged: EOF while parsing"),
            (pair(&zero, &zero, plain), "rank 0 is given twice, by a and b"),
            (with("[3, 0]", "[2, 0]", Some(3)), "rank 1 is missing: there are 2, and the next rank is 3"),
            (with("[3, -1]", "[2, 0]", Some(1)), "the split sizes \"[3, -1]\" of an all_to_allv are no list"),
            (with("[3, 0, ...]", "[]", Some(1)), "b has only the first 30 split sizes"),
            (with("[3, 0, 0]", "[2, 0, 0]", Some(1)), "b has no all_to_allv with the split sizes of 2 ranks"),
            (with("[4, 0]", "[2, 0]", Some(1)), "b sends 4 rows to rank 0, but a receives 3 from rank 1"),
            (with("[3, 0]", "[1, 0]", Some(1)), "a sends 2 rows to rank 1, but b receives 1 from rank 0"),
            (with("[3, 0]", "[2, 0]", Some(1)), "31 elements of type \"BFloat16\" in 3 rows"),
            (pair(&zero, "{\"traceEvents\": 3}", plain), "the trace of PyTorch is damaged: invalid type"),
            (pair(&zero, &one, layer), "--layer does not apply to a trace of PyTorch"),
        ] {
            assert!(said.contains(expected) && said.lines().count() == 1 && said.len() < 250, "{said}");
        }
        // Without the splits that are received nothing is compared.
        let (alone, other) = (event("[5, 2]", "[]", 7, None), event("[1, 1]", "[]", 2, None));
        let made = of(&[("rank0", &profile(&[alone])), ("rank1", &profile(&[other]))], plain).unwrap();
        assert_eq!(made.0.matrix(), [5, 2, 1, 1]);
        // More rows, or elements, than any tensor has.
        let most = u64::MAX;
        let huge = profile(&[event(&format!("[{most}, {most}]"), "[]", most, Some(1))]);
        let said = of(&[("a", &zero), ("b", &huge)], plain).unwrap_err().to_string();
        assert!(said.contains("a receives 3 from rank 1"), "{said}");
    }
}
