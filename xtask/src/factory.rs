//! Adapts the generated bindings, which assume a single permanent instance, to replaceable instances.
//!
//! After a trap, the package continues with a new instance. Only one exists at a time, so functions and
//! classes stay exports of the module, and a bundle contains only those that it uses; `glue` starts the
//! instance. Functions that JavaScript calls outside of a call of the package are guarded: a trap there would
//! be an error that nothing can catch, and a closure of a stopped instance must not reach into the next one.
//!
//! Each change checks the generated text that it replaces, and the build fails if that text has changed.

use anyhow::{Context, Result, ensure};

/// Exports that JavaScript calls on its own: the bodies of closures, with which promises continue, and their
/// destructors.
const CALLED_BY_JAVASCRIPT: [&str; 2] =
    ["wasm_bindgen__convert__closures_____invoke__", "__wbindgen_destroy_closure"];

/// A guarded export of an instance.
const GUARDED: &str = "const guarded = (call, isUsable, failed) => (...args) => {
    if (!isUsable()) return [];
    try {
        return call(...args);
    } catch (error) {
        failed(error);
        return [];
    }
};

";

/// The module of the bindings, which exports them and `glue`.
pub fn code(generated: &str) -> Result<String> {
    // Omits the generated `init`, since the package starts instances itself: it refers to `Request` and
    // `Response`, for which Node loads its whole HTTP client.
    let (own, _) = generated.split_once("\nasync function __wbg_load(").context("no __wbg_load")?;
    let names = names(own);
    ensure!(!names.is_empty(), "nothing is exported");
    let (imports, body): (Vec<&str>, Vec<&str>) =
        own.lines().partition(|line| line.starts_with("import ") || line.starts_with("/* @ts-self-types"));
    let body = without_finalization(&body.join("\n"))?;
    let body = with_quick_copies(&without_dead_code(&body)?)?;
    let body = with_owned_closures(body)?;
    let body = with_own_names(&without_effects(&body)?, &names);
    let exported: Vec<String> = names.iter().map(|name| format!("{name}{IN_WASM} as {name}")).collect();
    let exported = exported.join(", ");
    let guards: String = called_by_javascript(&body)?
        .iter()
        .map(|name| format!("        wasm.{name} = guarded(wasm.{name}, isUsable, failed);\n"))
        .collect();
    let guarded = if guards.is_empty() { "" } else { GUARDED };
    let imports: String =
        imports.iter().filter(|line| line.starts_with("import ")).map(|line| format!("{line}\n")).collect();
    let coders: Vec<&str> = ["TextDecoder", "TextEncoder"]
        .into_iter()
        .filter(|coder| body.contains(&format!("new {coder}(")))
        .collect();
    ensure!(coders.contains(&"TextDecoder"), "text is decoded in another way");
    let coders = coders.join(", ");
    Ok(format!(
        "{imports}import {{ {coders} }} from \"./core/platform/text-coding.js\";

{guarded}// The exports of a stopped instance: calls have no effect.
const NOTHING = /* @__PURE__ */ new Proxy({{}}, {{ get: () => () => [] }});

{body}
export {{ {exported} }};

const leave = (gone) => {{
    if (wasm === gone) __wbg_finalize_init({{ exports: NOTHING }});
}};

export const glue = {{
    imports: __wbg_get_imports,
    start(instance, isUsable, failed) {{
        const wasm = {{ ...instance.exports }};
{guards}        __wbg_finalize_init({{ exports: wasm }});
        return {{
            memoryBytes: () => wasm.memory.buffer.byteLength,
            stop() {{
                const table = wasm.__wbindgen_externrefs;
                const held = Array.from({{ length: table.length }}, (_, index) => table.get(index));
                leave(wasm);
                return held;
            }},
        }};
    }},
}};
"
    ))
}

/// The declarations of [`code`], and the types that cross, which are also part of the public API.
pub fn types(generated: &str, name: &str) -> Result<(String, String)> {
    let (own, _) = generated.split_once("\nexport type InitInput").context("no InitInput")?;
    let own = own.trim_start_matches("/* tslint:disable */\n/* eslint-disable */\n");
    let (crossing, own): (Vec<&str>, Vec<&str>) =
        own.split("\n\n").partition(|part| type_name(part).is_some());
    let type_names: Vec<&str> = crossing.iter().filter_map(|part| type_name(part)).collect();
    let imports = format!("import type {{ {} }} from \"./{name}.types.js\";\n", type_names.join(", "));
    let crossing = format!("{}\n\nexport {{}};\n", crossing.join("\n\n").trim());
    let own = own.join("\n\n");
    let own = own.as_str();
    let declared = own.replace("    [Symbol.dispose](): void;\n", "");
    let code = format!(
        "{imports}{declared}
/** Starts the instance that the functions and classes of this module call. */
export const glue: {{
    /** The imports of an instance. */
    imports(): WebAssembly.Imports;
    /**
     * @param isUsable Whether the instance can still be used.
     * @param failed Called when the instance traps outside of a call of the package.
     */
    start(instance: WebAssembly.Instance, isUsable: () => boolean, failed: (error: unknown) => void): {{
        /** The size of its memory, in bytes. */
        memoryBytes(): number;
        /** Stops the instance: later calls have no effect. Returns the values that it held. */
        stop(): unknown[];
    }};
}};
"
    );
    Ok((code, crossing))
}

/// The name of the type in a part of the declarations, after its documentation.
fn type_name(part: &str) -> Option<&str> {
    let starts = ["export interface ", "export type "];
    let declares =
        |line: &'_ str| starts.iter().find(|start| line.starts_with(**start)).map(|start| start.len());
    part.lines().find_map(|line| line.get(declares(line)?..)?.split([' ', '<']).next())
}

/// The names of the exported classes and functions.
fn names(generated: &str) -> Vec<&str> {
    let declaration = |line: &'_ str| -> Option<usize> {
        ["export class ", "export function "]
            .iter()
            .find(|start| line.starts_with(**start))
            .map(|start| start.len())
    };
    generated.lines().filter_map(|line| line.get(declaration(line)?..)?.split([' ', '(']).next()).collect()
}

/// Removes finalization: the package frees each object itself, even if the garbage collector never runs. An
/// object in use lives until the call ends.
fn without_finalization(body: &str) -> Result<String> {
    let mut kept = String::new();
    let mut registry = 0;
    let mut found = 0;
    for line in body.lines() {
        let starts = line.starts_with("const ") && line.contains("Finalization = ");
        found += usize::from(starts);
        registry = if starts { 3_usize } else { registry.saturating_sub(1) };
        let is_use = line.contains("Finalization.register(") || line.contains("Finalization.unregister(");
        if registry == 0 && !is_use && !line.starts_with("if (Symbol.dispose)") {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    let has_classes = body.lines().any(|line| line.starts_with("class "));
    ensure!(!has_classes || found > 0 && kept.contains("_free(ptr, 0)"), "objects are freed in another way");
    Ok(kept.replace("_free(ptr, 0)", "_free(ptr, 1)"))
}

/// Removes code that the package never reaches: all binaries export `realloc`, and the bindings get no module.
fn without_dead_code(body: &str) -> Result<String> {
    let (before, rest) = body.split_once("    if (realloc === undefined) {\n").context("no realloc")?;
    let (_, after) = rest.split_once("\n    }\n\n").context("no end of realloc")?;
    let body = format!("{before}{after}");
    let generated = [
        ("let wasmModule, wasmInstance, wasm;", "let wasm;"),
        ("function __wbg_finalize_init(instance, module) {", "function __wbg_finalize_init(instance) {"),
        ("    wasmInstance = instance;\n", ""),
        ("    wasmModule = module;\n", ""),
    ];
    generated.iter().try_fold(body, |body, (generated, kept)| {
        ensure!(body.matches(generated).count() == 1, "instances are kept in another way");
        Ok(body.replace(generated, kept))
    })
}

/// Replaces the code that copies strings into memory. The generated loop over characters is faster for short
/// strings only: 1,000 ASCII characters take 14 µs, and 0.2 µs after this change.
fn with_quick_copies(body: &str) -> Result<String> {
    let generated = "    for (; offset < len; offset++) {
        const code = arg.charCodeAt(offset);
        if (code > 0x7F) break;
        mem[ptr + offset] = code;
    }
    if (offset !== len) {
        if (offset !== 0) {
            arg = arg.slice(offset);
        }
";
    let quick = "    let read = 0;
    if (len > 16) {
        ({ read, written: offset } = cachedTextEncoder.encodeInto(arg, mem.subarray(ptr, ptr + len)));
    } else {
        for (; offset < len; offset++) {
            const code = arg.charCodeAt(offset);
            if (code > 0x7F) break;
            mem[ptr + offset] = code;
        }
        read = offset;
    }
    if (read !== len) {
        arg = arg.slice(read);
";
    ensure!(body.matches(generated).count() == 1, "texts are copied in another way");
    Ok(body.replace(generated, quick))
}

/// The suffix of the exports' names within the module. It avoids collisions with functions of the package in
/// the same file, and distinguishes them in stack traces.
const IN_WASM: &str = "InWasm";

/// Renames the exports with the suffix, and removes their `export`.
fn with_own_names(body: &str, names: &[&str]) -> String {
    let mut body = body.replace("\nexport ", "\n");
    for name in names {
        let mut renamed = String::new();
        for (index, part) in body.split(*name).enumerate() {
            if index > 0 {
                let is_part = |character: char| character.is_alphanumeric() || "_.$'\"".contains(character);
                let is_whole =
                    !renamed.ends_with(is_part) && !part.starts_with(|it| it != '.' && is_part(it));
                renamed.push_str(name);
                renamed.push_str(if is_whole { IN_WASM } else { "" });
            }
            renamed.push_str(part);
        }
        body = renamed;
    }
    body
}

/// Ties closures to the instance that made them. Promises may call them after it was replaced.
fn with_owned_closures(mut body: String) -> Result<String> {
    if !body.contains("\nfunction makeMutClosure(") {
        return Ok(body);
    }
    for (generated, owned) in [
        (
            "const state = { a: arg0, b: arg1, cnt: 1 };",
            "const state = { a: arg0, b: arg1, cnt: 1, of: wasm };",
        ),
        (
            "    const real = (...args) => {\n",
            "    const real = (...args) => {\n        if (state.of !== wasm) return;\n",
        ),
        ("if (--state.cnt === 0)", "if (state.of === wasm && --state.cnt === 0)"),
        (
            "new FinalizationRegistry(state => wasm",
            "new FinalizationRegistry(state => state.of === wasm && wasm",
        ),
    ] {
        ensure!(body.matches(generated).count() == 1, "closures are made in another way");
        body = body.replace(generated, owned);
    }
    Ok(body)
}

/// Marks the module as free of side effects for bundlers, and does not try out decoders on load.
fn without_effects(body: &str) -> Result<String> {
    let generated = "\ncachedTextDecoder.decode();\n";
    ensure!(body.matches(generated).count() == 1, "decoders are made in another way");
    let made = ["= new TextDecoder(", "= new TextEncoder(", ": new FinalizationRegistry("];
    Ok(made.iter().fold(body.replace(generated, "\n"), |body, made| {
        body.replace(made, &made.replace("new ", "/* @__PURE__ */ new "))
    }))
}

/// The names of the exports that match [`CALLED_BY_JAVASCRIPT`].
fn called_by_javascript(body: &str) -> Result<Vec<&str>> {
    let mut names: Vec<&str> = body
        .split("wasm.")
        .skip(1)
        .filter_map(|rest| {
            rest.split(|character: char| !character.is_alphanumeric() && character != '_').next()
        })
        .filter(|name| CALLED_BY_JAVASCRIPT.iter().any(|start| name.starts_with(start)))
        .collect();
    names.sort_unstable();
    names.dedup();
    let has_closures = body.contains("\nfunction makeMutClosure(");
    for start in CALLED_BY_JAVASCRIPT.iter().filter(|_| has_closures) {
        ensure!(names.iter().any(|name| name.starts_with(*start)), "no export begins with {start}");
    }
    Ok(names)
}
