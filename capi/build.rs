//! Sets the soname, by which programs find the shared library.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let system = std::env::var("CARGO_CFG_TARGET_OS").unwrap_or_default();
    let part = |name: &str| std::env::var(format!("CARGO_PKG_VERSION_{name}")).unwrap_or_default();
    // Until 1.0 a new minor version may break programs built with an older one.
    let compatible = match &*part("MAJOR") {
        "0" => format!("0.{}", part("MINOR")),
        major => major.to_string(),
    };
    if ["linux", "freebsd", "netbsd", "openbsd"].contains(&&*system) {
        println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libsakmak.so.{compatible}");
    }
}
