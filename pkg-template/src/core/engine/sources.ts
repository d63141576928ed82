/** The sources of the binaries. */

import { isOurs, OpenEvalsError, reasonOf } from "../errors.js";
import type { WasmSource } from "../types.js";

/** Called on first use, and again after a failure. */
type Find = () => WasmSource | PromiseLike<WasmSource>;

/** The source of one binary. */
export class BinarySource {
  /** The name of its file. */
  readonly file: string;
  /** Finds the binary. An entry point or `init()` sets it. */
  origin: Find | undefined;

  /** Its name in `init()`. */
  readonly name: string;

  constructor(name: string, file: string) {
    this.name = name;
    this.file = file;
  }

  /** For `init()` and `preload()`. A running load continues: a second one would start the engine twice. */
  use(find: Find): void {
    this.origin = find;
  }

  /** For entry points: finds the binary on their runtime, unless `init()` has set its source. */
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

/** The source of the binary with the metrics of texts and rankings. */
export const metrics = /* @__PURE__ */ new BinarySource("metrics", "openevals-metrics.wasm");

/** The source of the binary with the statistics of experiments. */
export const statistics = /* @__PURE__ */ new BinarySource("statistics", "openevals-statistics.wasm");

/** The error of a binary that cannot be loaded. */
export const failedToLoad = (what: string, cause: unknown): OpenEvalsError =>
  new OpenEvalsError("load_failed", `${what}: ${reasonOf(cause)}`, { cause });
