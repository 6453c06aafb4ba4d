//! Events: what a program tells the notebook while it runs, as JSON lines.
//!
//! They go to a descriptor of their own, whose number is in `WORKBOOK_EVENTS_FD`, so that stdout
//! stays free for `println!`. Without that variable the events are dropped.

use std::env;
use std::fs::{File, OpenOptions};
use std::io::Write;

use anyhow::{Context, Result};
use serde::Serialize;

const VARIABLE: &str = "WORKBOOK_EVENTS_FD";

/// One event. Epochs and steps count from 1.
#[derive(Debug, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event<'a> {
    RunStarted {
        engine: &'a str,
        device: &'a str,
        threads: usize,
        parameters: usize,
    },
    Phase {
        name: &'a str,
        seconds: f64,
    },
    Step {
        epoch: usize,
        step: usize,
        steps: usize,
        loss: f64,
    },
    Epoch {
        epoch: usize,
        train_loss: f64,
        test_loss: f64,
        test_accuracy: f64,
        train_seconds: f64,
        images: usize,
    },
    Metric {
        name: &'a str,
        value: f64,
    },
}

/// Where events go: the notebook's descriptor, or nowhere.
#[derive(Debug)]
pub struct Events {
    file: Option<File>,
}

impl Events {
    /// Opens the descriptor that `WORKBOOK_EVENTS_FD` names, if it is set.
    pub fn from_env() -> Result<Self> {
        let Some(number) = env::var_os(VARIABLE) else {
            return Ok(Self { file: None });
        };
        let number = number.to_string_lossy();
        let file = OpenOptions::new()
            .append(true)
            .open(format!("/dev/fd/{number}"))
            .with_context(|| format!("cannot open descriptor {number}, named by {VARIABLE}"))?;
        Ok(Self { file: Some(file) })
    }

    /// Writes one event as one line.
    pub fn send(&mut self, event: &Event) -> Result<()> {
        let Some(file) = &mut self.file else {
            return Ok(());
        };
        let line = serde_json::to_string(event)? + "\n";
        file.write_all(line.as_bytes())
            .context("cannot write an event: the notebook no longer listens")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_one_line_of_json() {
        let path = crate::test_folder("events").join("events.jsonl");
        let mut events = Events {
            file: Some(File::create(&path).unwrap()),
        };
        events
            .send(&Event::Phase {
                name: "load_data",
                seconds: 0.5,
            })
            .unwrap();
        events
            .send(&Event::Step {
                epoch: 1,
                step: 12,
                steps: 63,
                loss: 2.25,
            })
            .unwrap();
        assert_eq!(
            std::fs::read_to_string(path).unwrap(),
            "{\"event\":\"phase\",\"name\":\"load_data\",\"seconds\":0.5}\n\
             {\"event\":\"step\",\"epoch\":1,\"step\":12,\"steps\":63,\"loss\":2.25}\n"
        );
    }

    #[test]
    fn without_a_listener_events_are_dropped() {
        let mut events = Events { file: None };
        events
            .send(&Event::Metric {
                name: "x",
                value: 1.0,
            })
            .unwrap();
    }
}
