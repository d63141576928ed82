//! `cargo run -p xtask -- <module.wasm> <output folder>`: turns the compiled crate into the JavaScript bindings
//! `openevals.js` and `openevals.d.ts` and the module `openevals.wasm` that belongs to them.
//!
//! It uses the library behind the `wasm-bindgen` command, so that `Cargo.lock` alone decides the version.

mod factory;

use anyhow::{Context, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};
use wasm_bindgen_cli_support::{Bindgen, EncodeInto};

fn main() -> Result<()> {
    let mut args = std::env::args_os().skip(1).map(PathBuf::from);
    let (Some(module), Some(out_dir)) = (args.next(), args.next()) else {
        bail!("usage: xtask <module.wasm> <output folder>");
    };
    let mut bindings = Bindgen::new()
        .input_path(&module)
        .out_name("openevals")
        .typescript(true)
        .web(true)?
        // The loader of the package finds the module; the bindings must not name a file that bundlers would look for.
        .omit_default_module_path(true)
        // One native call instead of a loop over every character.
        .encode_into(EncodeInto::Always)
        .remove_name_section(true)
        .remove_producers_section(true)
        .generate_output()
        .with_context(|| format!("no bindings could be generated for {}", module.display()))?;
    bindings
        .emit(&out_dir)
        .with_context(|| format!("the bindings could not be written to {}", out_dir.display()))?;
    fs::rename(out_dir.join("openevals_bg.wasm"), out_dir.join("openevals.wasm"))?;
    let (code, types) = (out_dir.join("openevals.js"), out_dir.join("openevals.d.ts"));
    write(&code, factory::code(&read(&code)?)?)?;
    write(&types, factory::types(&read(&types)?)?)
}

fn read(file: &Path) -> Result<String> {
    fs::read_to_string(file).with_context(|| format!("{} could not be read", file.display()))
}

fn write(file: &Path, text: String) -> Result<()> {
    fs::write(file, text).with_context(|| format!("{} could not be written", file.display()))
}
