/** Third-party notices: the package lists the code of others with its licences. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const wasm = new URL(import.meta.resolve("openevals-wasm/openevals.wasm"));
const notices = readFileSync(new URL("../THIRD-PARTY-NOTICES.txt", wasm), "utf8");
const lines = new Set(notices.split("\n"));

it("list each crate that is compiled in", () => {
  const args = "tree --locked -p openevals-wasm -e normal,no-proc-macro --target wasm32-unknown-unknown";
  const tree = execFileSync("cargo", [...args.split(" "), "--prefix", "none"], {
    cwd: ROOT,
    encoding: "utf8",
  });
  const crates = new Set(
    Array.from(tree.matchAll(/^(\S+) v(\S+)/gm), ([, name, version]) => `${name} ${version}`),
  );
  crates.delete(`openevals-wasm ${/^openevals-wasm v(\S+)/m.exec(tree)?.[1]}`);
  expect(crates).toContain("serde-wasm-bindgen 0.6.5");
  expect(Array.from(crates).filter((crate) => !lines.has(crate))).toEqual([]);
});

it("list each crate that panic messages of the binary name", () => {
  const panics = readFileSync(wasm, "latin1").matchAll(/registry\/src\/[^/]+\/([\w-]+)-(\d[\w.+-]*)\/src\//g);
  const crates = new Set(Array.from(panics, ([, name, version]) => `${name} ${version}`));
  expect(crates.size).toBeGreaterThan(0);
  expect(Array.from(crates).filter((crate) => !lines.has(crate))).toEqual([]);
});

it("have a licence text for each crate, and are the same on every machine", () => {
  const parts = notices.split(`\n${"-".repeat(80)}\n`);
  expect(parts.length).toBeGreaterThan(2);
  for (const part of parts) expect(part).toMatch(/Permission is hereby granted|UNICODE LICENSE/);
  expect(notices).not.toContain("\r");
  expect(notices).not.toContain(ROOT);
});
