//! `cargo run -p xtask -- <module.wasm> <output folder>`: turns the compiled crate into the JavaScript bindings
//! `openevals.js` and `openevals.d.ts` and the module `openevals.wasm` that belongs to them.
//!
//! It uses the library behind the `wasm-bindgen` command, so that `Cargo.lock` alone decides the version.

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
    gather(&out_dir)
}

/// Puts what the crate exports into one object, `engine`: to bundlers the namespace of the module would be the same, but
/// they would make it of a function for each name. The package starts the module itself: the bindings' own `init` asks
/// whether it was handed a `Request` or a `Response`, for which Node loads its whole HTTP client, and what is not
/// exported by this name, bundlers can leave out.
fn gather(out_dir: &Path) -> Result<()> {
    let (code, types) = (out_dir.join("openevals.js"), out_dir.join("openevals.d.ts"));
    let mut bindings = without_free(&read(&code)?);
    let names: Vec<&str> = bindings
        .lines()
        .filter_map(|line| line.strip_prefix("export class ").or(line.strip_prefix("export function ")))
        .filter_map(|rest| rest.split([' ', '(']).next())
        .collect();
    let list = names.join(", ");
    let typed: String = names.iter().map(|name| format!("    {name}: typeof {name};\n")).collect();
    bindings += &format!(
        "export const engine = {{ {list} }};\n\
         export {{ __wbg_get_imports as imports, __wbg_finalize_init as start }};\n"
    );
    let declarations = read(&types)?.replace("    free(): void;\n    [Symbol.dispose](): void;\n", "")
        + &format!(
            "export const engine: {{\n{typed}}};\n\
             export function imports(): WebAssembly.Imports;\n\
             export function start(instance: WebAssembly.Instance, module?: WebAssembly.Module): void;\n"
        );
    write(&code, bindings)?;
    write(&types, declarations)
}

/// The bindings without the methods that free objects by hand: the package leaves that to the garbage collector.
fn without_free(bindings: &str) -> String {
    let mut kept = String::new();
    let mut leaving_out = false;
    for line in bindings.split_inclusive('\n') {
        leaving_out |= line.starts_with("    free() {") || line.starts_with("    __destroy_into_raw() {");
        if !leaving_out && !line.starts_with("if (Symbol.dispose)") {
            kept.push_str(line);
        }
        leaving_out &= !line.starts_with("    }");
    }
    kept
}

fn read(file: &Path) -> Result<String> {
    fs::read_to_string(file).with_context(|| format!("{} could not be read", file.display()))
}

fn write(file: &Path, text: String) -> Result<()> {
    fs::write(file, text).with_context(|| format!("{} could not be written", file.display()))
}
