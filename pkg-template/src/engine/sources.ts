/** Where the binaries come from. */

import { isOurs, OpenEvalsError, reasonOf } from "../errors.js";
import type { WasmSource } from "../types.js";

/** Asked on first use, and again after a failure. */
type Find = () => WasmSource | PromiseLike<WasmSource>;

/** Where one binary comes from. */
export class Source {
  /** The name of its file. */
  readonly file: string;
  #find: Find | undefined;

  constructor(file: string) {
    this.file = file;
  }

  /** For `init()`. A load that is under way goes on: a second one beside it would start the engine twice. */
  use(find: Find): void {
    this.#find = find;
  }

  /** For entry points: how their runtime finds the binary, unless `init()` has said where it is. */
  useByDefault(find: Find): void {
    this.#find ??= find;
  }

  async find(): Promise<WasmSource> {
    if (!this.#find) {
      throw new OpenEvalsError(
        "load_failed",
        "The WebAssembly engine has no source yet: call init() from openevals-wasm/slim with the bytes or the module " +
          `of openevals-wasm/${this.file} before the first evaluator.`,
      );
    }
    try {
      return await this.#find();
    } catch (error) {
      if (isOurs(error)) throw error;
      throw failedToLoad("The source of the WebAssembly engine failed", error);
    }
  }
}

/** The source of the binary that scores rows, which is all that the main entry point needs. */
export const scores = new Source("openevals.wasm");

/** The source of the binary with the metrics of texts. */
export const metrics = new Source("openevals-metrics.wasm");

/** The source of the binary with what is computed over all rows. */
export const statistics = new Source("openevals-statistics.wasm");

/** The error of a binary that does not arrive. */
export const failedToLoad = (what: string, cause: unknown): OpenEvalsError =>
  new OpenEvalsError("load_failed", `${what}: ${reasonOf(cause)}`, { cause });
