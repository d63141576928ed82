import { OpenEvalsError } from "../errors.js";
import { checkValue, oneOf } from "../input/checks.js";
import { agents, failedToLoad, judges, metrics, scores, statistics } from "./sources.js";

/** The sources, by their names in `init()`. */
const SOURCES = { scores, judges, agents, metrics, statistics };

/** The entry points that locate the binaries that the main entry point does not. */
const IMPORTS: Partial<Record<keyof typeof SOURCES, string>> = {
  agents: "openevals-wasm/agents",
  metrics: "openevals-wasm/text or openevals-wasm/retrieval",
  statistics: "openevals-wasm/evaluation",
};

/**
 * Loads and compiles a binary before the first evaluator needs it, so that the first score does not wait. Call it when a page
 * or a server starts, without waiting for it: an evaluator that is called meanwhile shares the load.
 *
 * @param binary `"scores"` (the default: exact match, texts, JSON match, trajectories), `"judges"` (evaluators that ask a
 * model), `"agents"` (import `openevals-wasm/agents`, too), `"metrics"` (import `openevals-wasm/text` or
 * `openevals-wasm/retrieval`, too), or `"statistics"` (with `openevals-wasm/evaluation`).
 * @throws {@link OpenEvalsError} `load_failed` if the binary cannot be loaded; the next use tries again. `invalid_config` for
 * another name.
 *
 * @example
 * ```ts
 * import { levenshteinDistance, preload } from "openevals-wasm";
 *
 * const ready = preload();
 * // Build the page meanwhile.
 * await ready;
 * const { score } = await levenshteinDistance({ outputs: "Oslo", referenceOutputs: "Osle" });
 * console.log(score); // 0.75
 * ```
 */
export function preload(
  binary: "scores" | "judges" | "agents" | "metrics" | "statistics" = "scores",
): Promise<void> {
  const loading = load(binary);
  // If the caller does not wait, the evaluators that need the binary report the failure.
  loading.catch(() => {});
  return loading;
}

async function load(binary: keyof typeof SOURCES): Promise<void> {
  checkValue("The binary of preload", binary, oneOf(Object.keys(SOURCES)));
  const source = SOURCES[binary];
  const { origin } = source;
  const entries = IMPORTS[binary];
  if (!origin && entries) {
    throw new OpenEvalsError(
      "load_failed",
      `preload("${binary}") needs an import of ${entries}, which locates ${source.file}. Add it.`,
    );
  }
  if (!origin || preloaded.has(origin)) return void (await source.find());
  const loading = source
    .find()
    .then((found) => ("byteLength" in found ? WebAssembly.compile(found as BufferSource) : found));
  const loaded = () => loading;
  preloaded.add(loaded);
  source.use(loaded);
  try {
    await loading;
  } catch (error) {
    // Unless init() has set another source in the meantime.
    if (source.origin === loaded) source.use(origin);
    throw failedToLoad(`${source.file} could not be preloaded`, error);
  }
}

/** The sources that preload() has set. */
const preloaded = /* @__PURE__ */ new WeakSet<object>();
