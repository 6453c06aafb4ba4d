use tracing::{error, info, info_span};

fn train(losses: &[f32]) {
    // BEGIN SOLUTION
    for (index, &loss) in losses.iter().enumerate() {
        let _epoch = info_span!("epoch", number = index + 1).entered();
        if loss.is_finite() {
            info!(loss, "trained");
        } else {
            error!("the loss is lost");
        }
    }
    info!("done");
    // END SOLUTION
}
// BEGIN HIDDEN TESTS
#[derive(Clone, Default)]
struct Log(std::sync::Arc<std::sync::Mutex<Vec<u8>>>);
impl std::io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
let log = Log::default();
let writer = log.clone();
let subscriber = tracing_subscriber::fmt()
    .with_ansi(false)
    .without_time()
    .with_target(false)
    .with_writer(move || writer.clone())
    .finish();
tracing::subscriber::with_default(subscriber, || train(&[2.5, f32::NAN]));
let text = String::from_utf8(log.0.lock().unwrap().clone())?;
let lines: Vec<&str> = text.lines().map(str::trim).collect();
assert_eq!(lines.len(), 3, "two epochs and the end are three messages");
assert_eq!(
    lines[0], "INFO epoch{number=1}: trained loss=2.5",
    "the first epoch"
);
assert_eq!(
    lines[1], "ERROR epoch{number=2}: the loss is lost",
    "an epoch whose loss is not a number"
);
assert_eq!(lines[2], "INFO done", "the end stands outside of any span");
// END HIDDEN TESTS
