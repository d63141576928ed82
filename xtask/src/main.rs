//! `cargo run -p xtask -- <module.wasm> <output folder> <name>`: generates the JavaScript bindings of the
//! compiled crate (`<name>.js`, `<name>.d.ts`), the types that cross (`<name>.types.d.ts`), and the matching
//! module `<name>.wasm`.
//!
//! It uses the library behind the `wasm-bindgen` command, so that only `Cargo.lock` determines the version.

mod factory;

use anyhow::{Context, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};
use walrus::{ElementItems, FunctionId, Module};
use wasm_bindgen_cli_support::{Bindgen, EncodeInto};

fn main() -> Result<()> {
    let mut args = std::env::args().skip(1);
    let (Some(module), Some(out_dir), Some(name)) = (args.next(), args.next(), args.next()) else {
        bail!("usage: xtask <module.wasm> <output folder> <name>");
    };
    let (module, out_dir) = (PathBuf::from(module), PathBuf::from(out_dir));
    let mut output = Bindgen::new()
        .input_path(&module)
        .out_name(&name)
        .typescript(true)
        .web(true)?
        // The package's loader locates the module. A file name in the bindings would make bundlers look for
        // it.
        .omit_default_module_path(true)
        // One native call instead of a loop over every character.
        .encode_into(EncodeInto::Always)
        .remove_name_section(true)
        .remove_producers_section(true)
        .generate_output()
        .with_context(|| format!("no bindings could be generated for {}", module.display()))?;
    drop_unused_closures(output.wasm_mut())?;
    output
        .emit(&out_dir)
        .with_context(|| format!("the bindings could not be written to {}", out_dir.display()))?;
    let file = |extension: &str| out_dir.join(format!("{name}{extension}"));
    fs::rename(file("_bg.wasm"), file(".wasm"))?;
    fs::remove_file(file("_bg.wasm.d.ts"))?;
    write(&file(".js"), factory::code(&read(&file(".js"))?)?)?;
    let (declared, crossing) = factory::types(&read(&file(".d.ts"))?, &name)?;
    write(&file(".d.ts"), declared)?;
    write(&file(".types.d.ts"), crossing)
}

/// Removes functions that call closures from the table of functions, some 0.6 KB gzipped of each binary. The descriptions of
/// js-sys put one there for each type of closure that its functions take. JavaScript calls those of used closures by
/// their exports, and nothing calls the others.
fn drop_unused_closures(module: &mut Module) -> Result<()> {
    let functions = &module.funcs;
    let calls_closure = |id: &FunctionId| {
        functions.get(*id).name.as_ref().is_some_and(|name| name.contains("convert::closures::_::invoke"))
    };
    let mut dropped = 0;
    for element in module.elements.iter_mut() {
        let ElementItems::Functions(ids) = &mut element.items else { continue };
        // The other functions keep their indices, so the places are filled.
        let Some(filler) = ids.iter().copied().find(|id| !calls_closure(id)) else { continue };
        for id in ids.iter_mut().filter(|id| calls_closure(id)) {
            *id = filler;
            dropped += 1;
        }
    }
    if dropped == 0 {
        bail!(
            "no closures were found in the table of functions: wasm-bindgen gives them other names than before"
        );
    }
    Ok(())
}

fn read(file: &Path) -> Result<String> {
    fs::read_to_string(file).with_context(|| format!("{} could not be read", file.display()))
}

fn write(file: &Path, text: String) -> Result<()> {
    fs::write(file, text).with_context(|| format!("{} could not be written", file.display()))
}
