// BEGIN SOLUTION
// STUB: #[derive(Config)]
// STUB: struct CnnConfig {
// STUB:     channels: usize,
// STUB:     classes: usize,
// STUB: }
#[derive(Config, Debug)]
struct CnnConfig {
    channels: usize,
    #[config(default = 10)]
    classes: usize,
}
// END SOLUTION
// BEGIN HIDDEN TESTS
let config = CnnConfig::new(3);
assert_eq!(config.channels, 3, "`channels` is what `new` was given");
assert_eq!(config.classes, 10, "`classes` is 10 unless told otherwise");
assert_eq!(
    config.with_classes(7).classes,
    7,
    "`with_classes` changes it"
);
assert!(
    CnnConfig::new(3).to_string().contains("10"),
    "a configuration prints its values"
);
// END HIDDEN TESTS
