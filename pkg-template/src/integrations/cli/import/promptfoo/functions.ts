/** The JavaScript of a config, which is copied into the experiment. */

import type { Findings } from "../imported.js";

export class Functions {
  readonly #findings: Findings;
  readonly #names = new Map<string, string>();

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  /** The functions of the experiment, from names to bodies. */
  get bodies(): [string, string][] {
    return Array.from(this.#names, ([body, name]) => [name, body]);
  }

  /** The name of a function with this code, at first its place; `undefined` if the code is left out. */
  add(code: unknown, place: string): string | undefined {
    const leave = (reason: string): undefined =>
      void this.#findings.leave(place, `${reason}. Write it as a function in evaluators`);
    if (typeof code !== "string" || /^(?:file|package):/.test(code))
      return leave("its code is in another file");
    if (/\brequire\s*\(|\bprocess\s*\./.test(code))
      return leave("its JavaScript uses Node's require or process");
    if (/\bcontext\b/.test(code.replaceAll(VARS, "")))
      return leave("its JavaScript reads more of context than vars");
    const body = bodyOf(code);
    if (body === undefined) return leave("its JavaScript has a syntax error");
    const known = this.#names.get(body);
    if (known !== undefined) return known;
    this.#findings.differ(place, "its JavaScript is copied. Read it before you run the experiment");
    const taken = new Set(this.#names.values());
    let name = place;
    for (let number = 2; taken.has(name); number++) name = `${place} ${number}`;
    this.#names.set(body, name);
    return name;
  }
}

const VARS = /\bcontext\s*\??\.\s*vars\b|\{\s*vars\s*\}\s*=\s*context\b/g;

/** The body of a function: code of one line is an expression, maybe after declarations. */
function bodyOf(code: string): string | undefined {
  const text = code.trimEnd();
  if (text.includes("\n")) return isBody(text) ? text : undefined;
  const line = text.trim().replace(/[;\s]+$/, "");
  if (!/^(?:const|let|var)\s/.test(line)) return isBody(`return ${line}`) ? `return ${line};` : undefined;
  const ends = Array.from(line.matchAll(/;/g), ({ index }) => index + 1).reverse();
  return ends
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
