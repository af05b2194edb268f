//! Gives the program the version of its compiler.

use std::env;
use std::process::Command;

fn main() {
    let compiler = env::var("RUSTC").expect("cargo sets RUSTC");
    let output = Command::new(compiler).arg("--version").output();
    let version = String::from_utf8(output.expect("rustc runs").stdout).expect("it is UTF-8");
    println!("cargo::rustc-env=RUSTC_VERSION={}", version.trim());
    println!("cargo::rerun-if-changed=build.rs");
}
