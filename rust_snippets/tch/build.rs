//! Makes the program find, at run time, the libtorch that it was linked with.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // torch-sys names the folder; it is the one inside the pip package of torch.
    if let Ok(folder) = std::env::var("DEP_TCH_LIBTORCH_LIB") {
        println!("cargo:rustc-link-arg=-Wl,-rpath,{folder}");
    }
    // Our code calls nothing in libtorch itself, and a linker drops a library that nobody calls.
    // It registers the CUDA parts, so without it a GPU would seem to be absent.
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "linux") {
        println!("cargo:rustc-link-arg=-Wl,--no-as-needed");
        println!("cargo:rustc-link-arg=-ltorch");
    }
}
