//! Makes the program find, at run time, the libtorch that it was linked with.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // torch-sys names the folder; it is the one inside the pip package of torch.
    if let Ok(folder) = std::env::var("DEP_TCH_LIBTORCH_LIB") {
        println!("cargo:rustc-link-arg=-Wl,-rpath,{folder}");
    }
    // Our code calls nothing in libtorch's CUDA part, and a linker drops a library that nobody calls: then a GPU
    // seems to be absent. It is kept on request only, because loading it costs a second and 300 MB of memory.
    let linux = std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "linux");
    if linux && std::env::var_os("CARGO_FEATURE_CUDA").is_some() {
        println!("cargo:rustc-link-arg=-Wl,--no-as-needed");
        println!("cargo:rustc-link-arg=-ltorch");
    }
}
