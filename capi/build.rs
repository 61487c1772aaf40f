//! The name under which programs look for the shared library.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let system = std::env::var("CARGO_CFG_TARGET_OS").unwrap_or_default();
    // Until 1.0 a new minor version may break what was built with an older one.
    let major = std::env::var("CARGO_PKG_VERSION_MAJOR").unwrap_or_default();
    if ["linux", "freebsd", "netbsd", "openbsd"].contains(&&*system) {
        println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libsakmak.so.{major}");
    }
}
