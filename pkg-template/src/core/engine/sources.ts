/** Where the binaries come from. */

import { isOurs, OpenEvalsError, reasonOf } from "../errors.js";
import type { WasmSource } from "../types.js";

/** Asked on first use, and again after a failure. */
type Find = () => WasmSource | PromiseLike<WasmSource>;

/** Where one binary comes from. */
export class BinarySource {
  /** The name of its file. */
  readonly file: string;
  /** How it is found, once that is known. */
  origin: Find | undefined;

  /** What `init()` calls it. */
  readonly name: string;

  constructor(name: string, file: string) {
    this.name = name;
    this.file = file;
  }

  /** For `init()`. A load that is under way goes on: a second one beside it would start the engine twice. */
  use(find: Find): void {
    this.origin = find;
  }

  /** For entry points: how their runtime finds the binary, unless `init()` has said where it is. */
  useByDefault(find: Find): void {
    this.origin ??= find;
  }

  async find(): Promise<WasmSource> {
    if (!this.origin) {
      throw new OpenEvalsError(
        "load_failed",
        `${this.file} has no source. Call init({ ${this.name} }) from openevals-wasm/slim first, with the bytes or module ` +
          `of openevals-wasm/${this.file}.`,
      );
    }
    try {
      return await this.origin();
    } catch (error) {
      if (isOurs(error)) throw error;
      throw failedToLoad(`The source of ${this.file} failed`, error);
    }
  }
}

/** The source of the binary that compares. */
export const scores = /* @__PURE__ */ new BinarySource("scores", "openevals.wasm");

/** The source of the binary that asks models. */
export const judges = /* @__PURE__ */ new BinarySource("judges", "openevals-judges.wasm");

/** The source of the binary with verdicts on tool calls. */
export const agents = /* @__PURE__ */ new BinarySource("agents", "openevals-agents.wasm");

/** The source of the binary with the metrics of texts. */
export const metrics = /* @__PURE__ */ new BinarySource("metrics", "openevals-metrics.wasm");

/** The source of the binary with what is computed over all rows. */
export const statistics = /* @__PURE__ */ new BinarySource("statistics", "openevals-statistics.wasm");

/** The error of a binary that does not arrive. */
export const failedToLoad = (what: string, cause: unknown): OpenEvalsError =>
  new OpenEvalsError("load_failed", `${what}: ${reasonOf(cause)}`, { cause });
