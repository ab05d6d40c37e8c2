//! `frit verify multibutterfly`: a multibutterfly under every engine.

use super::super::multibutterfly::{problem, refuse};
use super::routed::{self, Summary, Verified, VerifyRequest};
use crate::args::FabricStyle;
use anyhow::Result;
use frit_device::multibutterfly::{MultibutterflyDevice, hardware};
use frit_router::multibutterfly::Multibutterfly;
use serde_json::json;

pub fn verify(asked: &VerifyRequest, system: &Multibutterfly, many: bool) -> Result<Verified> {
    let args = asked.args;
    refuse(&[
        ("--width", args.width.width.is_some()),
        ("--payload", args.payload.payload.is_some()),
        ("--formal", args.formal),
        ("--axis", args.streams.axis),
        ("--reset", args.streams.asks_reset()),
        ("--fabric-style compact", args.fabric_style == FabricStyle::Compact),
    ])?;
    let (problem, command) = problem(&args.packets, system, args.payload.seed)?;
    let name = format!("multibutterfly_n{}", system.parameters.rows);
    let design = || {
        let fault = args.fault.as_deref();
        Ok(MultibutterflyDevice::new(&problem, hardware(&problem)?, fault, command.clone())?)
    };
    routed::verify(asked, (&name, many), &command, design, |design| {
        let (happens, all) = (&design.expected, problem.messages().len());
        let (events, arrive) = (happens.events.len(), all - happens.left.len());
        Summary {
            system: "multibutterfly",
            what: format!("{arrive} of {all} messages arrive, {events} events in {} phases", happens.phases),
            members: vec![
                ("stages", json!(happens.phases)),
                ("cycles", json!(happens.cycles)),
                ("messages", json!(all)),
                ("delivered", json!(arrive)),
                ("left", json!(happens.left.len())),
                ("events", json!(events)),
            ],
            words: ["cycles", "stage"],
        }
    })
}
