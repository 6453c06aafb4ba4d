fn labels(path: &str) -> Result<Vec<u8>> {
    // BEGIN SOLUTION
    let read = || {
        let bytes = std::fs::read(path)?;
        if let Some(byte) = bytes.iter().position(|label| *label > 9) {
            bail!("label {} at byte {byte}", bytes[byte]);
        }
        Ok(bytes)
    };
    read().with_context(|| format!("cannot read labels from {path}"))
    // END SOLUTION
}
// BEGIN HIDDEN TESTS
let missing = "no/such/folder/labels.bin";
let error = labels(missing).unwrap_err();
assert!(
    format!("{error:#}").starts_with("cannot read labels from no/such/folder/labels.bin: "),
    "`{{:#}}` begins with the context and the path, and the cause follows"
);
let io = error
    .downcast_ref::<std::io::Error>()
    .map(std::io::Error::kind);
assert_eq!(
    io,
    Some(std::io::ErrorKind::NotFound),
    "the error of the system is still there below the context"
);
let folder = std::env::temp_dir().join(format!("workbook-labels-{}", std::process::id()));
std::fs::create_dir_all(&folder)?;
let file = folder.join("labels.bin");
let path = file.to_str().context("a path that is text")?;
std::fs::write(&file, [3u8, 0, 9])?;
let good = labels(path);
std::fs::write(&file, [3u8, 12])?;
let bad = labels(path);
std::fs::remove_dir_all(&folder)?;
assert_eq!(
    good.ok(),
    Some(vec![3, 0, 9]),
    "labels from 0 to 9 are fine"
);
let words = bad.map_err(|error| format!("{error:#}")).unwrap_err();
assert_eq!(
    words,
    format!("cannot read labels from {path}: label 12 at byte 1"),
    "a label above 9, with the same context"
);
// END HIDDEN TESTS
