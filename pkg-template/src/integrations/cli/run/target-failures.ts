/** Finds where in the user's code a target failed: experiments record the message of an error without its stack. */

import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { counted } from "../../../core/input/counted.js";
import { firstLine } from "../../../core/input/first-line.js";
import { hideKeys } from "../../../core/input/secrets/keys.js";
import type { Target } from "../../../evaluation.js";

export class TargetFailures {
  /** The failures by position. */
  readonly #found = new Map<string, { first: string; count: number; areEqual: boolean }>();

  /** Wraps the target to record its failures. */
  watch(target: Target): Target {
    const call = typeof target === "function" ? target : target.invoke.bind(target);
    return async (...args: Parameters<typeof call>) => {
      try {
        return await call(...args);
      } catch (error) {
        this.#note(error);
        throw error;
      }
    };
  }

  /** A line for each position. Messages often contain the input. */
  lines(): string[] {
    return Array.from(this.#found, ([position, { first, count, areEqual }]) => {
      const rows = counted(count, "row");
      return `The target failed at ${position}: ${hideKeys(first)} (${areEqual ? rows : `${rows}, with other messages, too`})`;
    });
  }

  #note(error: unknown): void {
    const position = positionOf(error);
    if (position === undefined) return;
    const { name, message } = error as Error;
    const failure = `${name}: ${firstLine(message)}`;
    const found = this.#found.get(position) ?? { first: failure, count: 0, areEqual: true };
    this.#found.set(position, found);
    found.count++;
    found.areEqual &&= found.first === failure;
  }
}

/** The innermost position in the user's code, such as `evals/a.eval.mjs:12:9`. */
function positionOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  for (const line of String(error.stack).split("\n")) {
    const [, found] = /^\s+at (?:.* \()?((?:file:\/\/|\/|[A-Za-z]:[\\/]).+:\d+:\d+)\)?$/.exec(line) ?? [];
    if (!found || /[\\/](node_modules|openevals-wasm[\\/]dist)[\\/]/.test(found)) continue;
    const [, file = "", lineAndColumn = ""] = /^(.*?)(:\d+:\d+)$/.exec(found) ?? [];
    return relative(process.cwd(), file.startsWith("file:") ? fileURLToPath(file) : file) + lineAndColumn;
  }
  return undefined;
}
