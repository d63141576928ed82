/** Packages that pip finds on this machine, so that it needs no network. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The Python of the tests. */
export const PYTHON = fileURLToPath(new URL("../../target/python/bin", import.meta.url));
const TOOLS = fileURLToPath(new URL("../node_modules/.bin", import.meta.url));
/** With the mypy and the Python of the tests. */
export const PATH = [PYTHON, process.env.PATH].join(delimiter);

export class Shelf {
  readonly folder = mkdtempSync(join(tmpdir(), "wheels-"));
  /** The environment of a sandbox that has nothing but this shelf. */
  readonly environment = {
    PATH: [TOOLS, PATH].join(delimiter),
    PIP_NO_INDEX: "1",
    PIP_FIND_LINKS: this.folder,
  };

  /** Adds a package of one module, in the form that pip installs. */
  put(name: string, module: string, code: string): void {
    const about = `${name.replaceAll("-", "_")}-1.0.dist-info`;
    const files = {
      [`${module}/__init__.py`]: code,
      [`${module}/py.typed`]: "",
      [`${about}/METADATA`]: `Metadata-Version: 2.1\nName: ${name}\nVersion: 1.0\n`,
      [`${about}/WHEEL`]: "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
      [`${about}/RECORD`]: "",
    };
    const script = `
import json, sys, zipfile
with zipfile.ZipFile(sys.argv[1], "w") as wheel:
    for path, text in json.loads(sys.argv[2]).items(): wheel.writestr(path, text)`;
    const wheel = join(this.folder, `${name.replaceAll("-", "_")}-1.0-py3-none-any.whl`);
    execFileSync(join(PYTHON, "python"), ["-c", script, wheel, JSON.stringify(files)]);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}
