//! What the Learner shows while it trains: one line an epoch.

use std::collections::HashMap;

use burn::train::logger::{EvaluationProgressLogger, TrainingProgressLogger};
use burn::train::metric::{MetricDefinition, MetricId, MetricName, NumericEntry};
use burn::train::renderer::{
    EvaluationName, MetricState, MetricsRenderer, MetricsRendererEvaluation,
    MetricsRendererTraining,
};

/// Collects the metrics of an epoch and prints them at its end.
#[derive(Default)]
pub struct EpochLines {
    names: HashMap<MetricId, MetricName>,
    epochs: usize,
    line: String,
}

impl EpochLines {
    /// Batches come here too; only the value of the whole epoch is `Final`.
    fn note(&mut self, split: &str, state: MetricState) {
        if let MetricState::Numeric(entry, Some(NumericEntry::Final(value))) = state {
            let name = self.names[&entry.metric_id].to_lowercase();
            self.line += &format!("  {split} {name} {value:.4}");
        }
    }
}

impl MetricsRendererTraining for EpochLines {
    fn update_train(&mut self, state: MetricState) {
        self.note("train", state);
    }

    fn update_valid(&mut self, state: MetricState) {
        self.note("valid", state);
    }
}

impl TrainingProgressLogger for EpochLines {
    fn start(&mut self, epochs: usize, _first: usize, _items: Option<usize>, _label: Option<&str>) {
        self.epochs = epochs;
    }

    fn update_epoch(&mut self, epoch: usize) {
        println!("epoch {epoch:>2}/{}{}", self.epochs, self.line);
        self.line.clear();
    }

    // The rest is of no interest here, but the trait asks for it.
    fn start_split(&mut self, _split: &str, _items: usize) {}
    fn update_split(&mut self, _done: usize) {}
    fn end_split(&mut self) {}
    fn end(&mut self) {}
    fn log_event_training(&mut self, _event: String) {}
}

impl MetricsRenderer for EpochLines {
    fn register_metric(&mut self, metric: MetricDefinition) {
        self.names.insert(metric.metric_id, metric.name);
    }

    fn manual_close(&mut self) {}
}

// A renderer serves evaluations as well; this one stays silent there.
impl MetricsRendererEvaluation for EpochLines {
    fn update_test(&mut self, _name: EvaluationName, _state: MetricState) {}
}

impl EvaluationProgressLogger for EpochLines {
    fn start_global_progress(&mut self, _tests: usize) {}
    fn start_test(&mut self, _name: &str, _items: usize) {}
    fn update_test_progress(&mut self, _done: usize) {}
    fn end_test(&mut self) {}
    fn end_global_progress(&mut self) {}
    fn log_event_evaluation(&mut self, _event: String) {}
}
