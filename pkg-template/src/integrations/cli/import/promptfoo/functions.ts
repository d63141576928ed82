/** The JavaScript of a config, which is copied into the experiment. */

import type { Findings } from "../imported.js";
import { Names } from "../names.js";

export class Functions {
  readonly #findings: Findings;
  /** By code. */
  readonly #functions = new Map<string, { name: string; body: string }>();
  readonly #names = new Names();

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  /** The names and bodies of the functions. */
  get bodies(): [string, string][] {
    return Array.from(this.#functions.values(), ({ name, body }) => [name, body]);
  }

  /** The name of the function with this code: the first place that has it. `undefined` if the code is skipped. */
  add(code: unknown, place: string): string | undefined {
    const skip = (reason: string): undefined =>
      void this.#findings.skip(place, `${reason}. Write it as a function in evaluators`);
    if (typeof code !== "string" || /^(?:file|package):/.test(code))
      return skip("its code is in another file");
    const known = this.#functions.get(code);
    if (known) return known.name;
    if (/\brequire\s*\(|\bprocess\s*\./.test(code))
      return skip("its JavaScript uses Node's require or process");
    if (/\bcontext\b/.test(code.replaceAll(VARS, "")))
      return skip("its JavaScript reads more of context than vars");
    const body = bodyOf(code);
    if (body === undefined) return skip("its JavaScript has a syntax error");
    this.#findings.differ(place, "its JavaScript is copied. Read it before you run the experiment");
    const name = this.#names.unique(place);
    this.#functions.set(code, { name, body });
    return name;
  }
}

const VARS = /\bcontext\s*\??\.\s*vars\b|\{\s*vars\s*\}\s*=\s*context\b/g;

/** The most semicolons that are tried as the end of the declarations, from the last. */
const MAX_ENDS = 100;

/** The body of a function. A single line is an expression, possibly after declarations. */
function bodyOf(code: string): string | undefined {
  const text = code.trimEnd();
  if (text.includes("\n")) return isBody(text) ? text : undefined;
  const line = text.trim().replace(/[;\s]+$/, "");
  if (!/^(?:const|let|var)\s/.test(line)) return isBody(`return ${line}`) ? `return ${line};` : undefined;
  const ends = Array.from(line.matchAll(/;/g), ({ index }) => index + 1).reverse();
  return ends
    .slice(0, MAX_ENDS)
    .map((end) => `${line.slice(0, end)} return ${line.slice(end).trim()};`)
    .find((body) => isBody(body));
}

/** Whether code is the body of a function in strict mode, as in modules. It is not run. */
function isBody(code: string): boolean {
  try {
    return Boolean(new Function("output", "context", `"use strict";${code}\n`));
  } catch {
    return false;
  }
}
