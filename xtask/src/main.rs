//! `cargo run -p xtask -- <module.wasm> <output folder>`: turns the compiled crate into the JavaScript bindings
//! `openevals.js` and `openevals.d.ts` and the module `openevals.wasm` that belongs to them.
//!
//! It uses the library behind the `wasm-bindgen` command, so that `Cargo.lock` alone decides the version.

use anyhow::{Context, Result, bail};
use std::path::PathBuf;
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
    std::fs::rename(out_dir.join("openevals_bg.wasm"), out_dir.join("openevals.wasm"))?;
    append(&out_dir.join("openevals.js"), EXPORTS)?;
    append(&out_dir.join("openevals.d.ts"), DECLARATIONS)
}

/// The package starts the module itself: the bindings' own `init` asks whether it was handed a `Request` or a
/// `Response`, for which Node loads its whole HTTP client, and what it does not export, bundlers can leave out.
const EXPORTS: &str = "export { __wbg_get_imports as imports, __wbg_finalize_init as start };\n";
const DECLARATIONS: &str = "export function imports(): WebAssembly.Imports;
export function start(instance: WebAssembly.Instance, module?: WebAssembly.Module): void;
";

fn append(file: &std::path::Path, text: &str) -> Result<()> {
    let mut content = std::fs::read_to_string(file)?;
    content.push_str(text);
    std::fs::write(file, content).with_context(|| format!("{} could not be written", file.display()))
}
