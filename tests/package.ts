/** The package as the tests import it, put where others import it from. */
import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";

const name = "node_modules/openevals-wasm";
const installed = join(import.meta.dirname, name);

/** Copies it into a folder, from which the packages of the tests cannot be found. */
export const copyPackage = (folder: string): void =>
  cpSync(installed, join(folder, name), { recursive: true });

/** Links it into a folder. */
export function linkPackage(folder: string): void {
  mkdirSync(join(folder, "node_modules"), { recursive: true });
  symlinkSync(installed, join(folder, name), "junction");
}
