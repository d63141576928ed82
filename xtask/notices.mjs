/** The notices of third-party code in the binaries: crates and Rust's standard library. */

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { run, TaskError } from "./run.mjs";

const TARGET = "wasm32-unknown-unknown";

/** The content of `THIRD-PARTY-NOTICES.txt`. It depends only on `Cargo.lock`. */
export function notices() {
  const crates = compiledCrates();
  // Many crates have the same text.
  const texts = new Map();
  for (const crate of crates) {
    const text = licenceOf(crate);
    texts.set(text, [...(texts.get(text) ?? []), crate]);
  }
  const parts = Array.from(texts, ([text, those]) => `${those.map(nameOf).join("\n")}\n\n${text}`);
  return `${[INTRODUCTION, ...parts].join(`\n\n${"-".repeat(80)}\n\n`)}\n`;
}

/** The crates that are linked into the binary, without procedural macros, which only run at compile time. */
export function compiledCrates() {
  const options = ["--locked", "--package", "openevals-wasm"];
  const edges = ["--edges", "normal,no-proc-macro", "--target", TARGET, "--prefix", "none"];
  const tree = run("cargo", ["tree", ...options, ...edges, "--format", "{p}"], { quiet: true });
  const compiled = new Set(tree.split("\n").map((line) => line.split(" ").slice(0, 2).join(" ")));
  const about = ["--locked", "--format-version", "1", "--filter-platform", TARGET];
  const { packages } = JSON.parse(run("cargo", ["metadata", ...about], { quiet: true }));
  return packages
    .filter(({ name, version, source }) => source && compiled.has(`${name} v${version}`))
    .sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
}

const nameOf = ({ name, version }) => `${name} ${version}`;

/** The licence in use: MIT, and others whose notices have to be passed on. */
function licenceOf({ name, license, authors, manifest_path }) {
  if (!/\bMIT\b/.test(license))
    throw new TaskError(`${name} is licensed as ${license}: say in xtask/notices.mjs what that asks for.`);
  const folder = dirname(manifest_path);
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
  const needed = files.filter((file) => !/apache/i.test(file)).sort();
  if (!needed.length) return `Copyright (c) ${authors.join(", ")}\n\n${MIT}`;
  return needed
    .map((file) => readFileSync(join(folder, file), "utf8").replaceAll("\r\n", "\n").trim())
    .join("\n\n");
}

const MIT = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

const INTRODUCTION = `The WebAssembly binaries of openevals-wasm contain code of the crates below, each under the licence that follows its
name. The JavaScript contains the bindings that wasm-bindgen generates.

They also contain parts of the standard library of Rust, with the crates that it is built from, which may be used under
the MIT licence:

Copyright (c) The Rust Project contributors

${MIT}`;
