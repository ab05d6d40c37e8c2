//! Demands as execution traces of MLCommons Chakra, for simulators of training clusters: a file for each terminal, with a send for each pair
//! that begins there and a receive for each pair that ends there.
//!
//! A trace is a list of messages in the format of Protocol Buffers, each after its length as a varint: first `GlobalMetadata`, then a
//! `Node` for each operation. The numbers of their fields are those of the public schema `schema/protobuf/et_def.proto` of
//! <https://github.com/mlcommons/chakra>, and the attributes have the types that its feeder reads.

use crate::demand::Demand;
use frit_network::TerminalIdx;
use prost::{Enumeration, Message, Oneof};

/// The version of the schema that traces name.
const VERSION: &str = "0.0.4";

#[derive(Clone, PartialEq, Message)]
struct GlobalMetadata {
    #[prost(string, tag = "1")]
    version: String,
}

#[derive(Clone, PartialEq, Message)]
struct Node {
    #[prost(uint64, tag = "1")]
    id: u64,
    #[prost(string, tag = "2")]
    name: String,
    #[prost(enumeration = "NodeType", tag = "3")]
    kind: i32,
    #[prost(message, repeated, tag = "10")]
    attr: Vec<Attribute>,
}

/// Those of the types that traces have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enumeration)]
#[repr(i32)]
enum NodeType {
    Invalid = 0,
    Send = 5,
    Receive = 6,
}

#[derive(Clone, PartialEq, Message)]
struct Attribute {
    #[prost(string, tag = "1")]
    name: String,
    #[prost(oneof = "Value", tags = "7, 9, 27")]
    value: Option<Value>,
}

#[derive(Clone, PartialEq, Oneof)]
enum Value {
    #[prost(int32, tag = "7")]
    Int32(i32),
    #[prost(int64, tag = "9")]
    Int64(i64),
    #[prost(bool, tag = "27")]
    Bool(bool),
}

/// The trace of a terminal, with `bytes_per_word` bytes for each word (below 2^31). No operation waits for another one. Words that a terminal has for itself
/// are left out.
pub fn trace(demand: &Demand, terminal: TerminalIdx, bytes_per_word: u32) -> Vec<u8> {
    let mut bytes = GlobalMetadata { version: VERSION.into() }.encode_length_delimited_to_vec();
    let others = || TerminalIdx::all(demand.terminals()).filter(|&other| other != terminal);
    let sends = others().map(|to| (NodeType::Send, terminal, to));
    let receives = others().map(|from| (NodeType::Receive, from, terminal));
    let flows = sends.chain(receives).filter(|&(_, from, to)| demand.words(from.0, to.0) > 0);
    for ((kind, from, to), id) in flows.zip(0..) {
        let size = i64::from(demand.words(from.0, to.0)) * i64::from(bytes_per_word);
        let node = node(id, kind, (from.0, to.0), size);
        bytes.extend(node.encode_length_delimited_to_vec());
    }
    bytes
}

fn node(id: u64, kind: NodeType, (from, to): (u32, u32), size: i64) -> Node {
    let what = if kind == NodeType::Send { "SEND" } else { "RECV" };
    let attribute = |(name, value): (&str, Value)| Attribute { name: name.into(), value: Some(value) };
    let attr = [
        ("is_cpu_op", Value::Bool(false)),
        ("comm_size", Value::Int64(size)),
        ("comm_src", Value::Int32(from as i32)),
        ("comm_dst", Value::Int32(to as i32)),
        ("comm_tag", Value::Int32(0)),
    ];
    Node {
        id,
        name: format!("COMM_{what}_NODE_{from}_{to}"),
        kind: kind.into(),
        attr: attr.map(attribute).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The fields of a message: number, and a varint or bytes. It knows no schema.
    fn fields(mut bytes: &[u8]) -> Vec<(u64, Result<u64, &[u8]>)> {
        let mut fields = Vec::new();
        while !bytes.is_empty() {
            let key = varint(&mut bytes);
            let value = varint(&mut bytes);
            match key & 7 {
                0 => fields.push((key >> 3, Ok(value))),
                2 => {
                    let (text, rest) = bytes.split_at(value as usize);
                    fields.push((key >> 3, Err(text)));
                    bytes = rest;
                }
                wire => panic!("wire type {wire}"),
            }
        }
        fields
    }

    fn varint(bytes: &mut &[u8]) -> u64 {
        let length = bytes.iter().position(|byte| byte & 0x80 == 0).unwrap() + 1;
        let (number, rest) = bytes.split_at(length);
        *bytes = rest;
        number.iter().rev().fold(0, |value, byte| value << 7 | u64::from(byte & 0x7f))
    }

    #[test]
    fn a_trace_has_a_node_for_each_flow_of_its_terminal() {
        let demand = Demand::from_list(4, [(0, 1, 300), (3, 0, 7), (2, 2, 1), (1, 2, 5)]).unwrap();
        let of = |terminal| {
            let bytes = trace(&demand, terminal, 4);
            let mut rest = bytes.as_slice();
            let mut messages = Vec::new();
            while !rest.is_empty() {
                let length = varint(&mut rest) as usize;
                messages.push(rest[..length].to_vec());
                rest = &rest[length..];
            }
            messages
        };
        let messages = of(TerminalIdx(0));
        assert_eq!(fields(&messages[0]), [(1, Err(&b"0.0.4"[..]))]);
        assert_eq!(messages.len(), 3);
        for (message, (id, kind, size, from, to)) in
            messages[1..].iter().zip([(None, 5, 1200, 0, 1), (Some(1), 6, 28, 3, 0)])
        {
            let fields_of = fields(message);
            let of = |number| fields_of.iter().filter(move |field| field.0 == number).map(|field| field.1);
            // The number 0 is the default and left out.
            assert_eq!(of(1).next().map(Result::unwrap), id);
            assert_eq!(of(3).next(), Some(Ok(kind)));
            let attributes: Vec<_> = of(10).map(|attribute| fields(attribute.unwrap_err())).collect();
            let due: [(&[u8], u64, u64); 5] = [
                (b"is_cpu_op", 27, 0),
                (b"comm_size", 9, size),
                (b"comm_src", 7, from),
                (b"comm_dst", 7, to),
                (b"comm_tag", 7, 0),
            ];
            let due = due.map(|(name, number, value)| vec![(1, Err(name)), (number, Ok(value))]);
            assert_eq!(attributes, due);
        }
        // One sends and one receives; the words of 2 for itself are no flow.
        assert_eq!([1, 2, 3].map(|terminal| of(TerminalIdx(terminal)).len()), [3, 2, 2]);
    }

    #[test]
    fn every_send_has_its_receive() {
        let kind = crate::Kind::Zipf { words: 40, exponent: 1.0 };
        let demand = crate::generate(&kind, 9, 3).unwrap();
        let mut flows = [Vec::new(), Vec::new()];
        for terminal in TerminalIdx::all(9) {
            let bytes = trace(&demand, terminal, 8);
            let mut rest = bytes.as_slice();
            GlobalMetadata::decode_length_delimited(&mut rest).unwrap();
            while !rest.is_empty() {
                let node = Node::decode_length_delimited(&mut rest).unwrap();
                let numbers: Vec<i64> = node.attr[1..4]
                    .iter()
                    .map(|attribute| match attribute.value {
                        Some(Value::Int32(value)) => value.into(),
                        Some(Value::Int64(value)) => value,
                        _ => panic!("{attribute:?}"),
                    })
                    .collect();
                flows[usize::from(node.kind() == NodeType::Receive)].push(numbers);
            }
        }
        let mut due: Vec<Vec<i64>> = (demand.pairs().filter(|(from, to, _)| from != to))
            .map(|(from, to, words)| vec![i64::from(words) * 8, from.into(), to.into()])
            .collect();
        due.sort_unstable();
        flows.iter_mut().for_each(|flows| flows.sort_unstable());
        assert_eq!(flows, [due.clone(), due]);
    }
}
