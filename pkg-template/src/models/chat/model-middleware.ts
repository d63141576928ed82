/**
 * Passes the middleware of an experiment to judges. The user's evaluator calls the judge without passing it on, so the
 * experiment calls the evaluator in a scope where the judge finds the middleware.
 */

import { judgesEngine } from "../../core/engine/judges.js";
import { invalidConfig } from "../../core/errors.js";
import * as bindings from "../../openevals-judges.js";
import { __version__ } from "../../version.js";
import type { JudgeSource, ModelMiddleware, PackageCopy } from "./judge-model.js";
import type { EngineModel } from "./opener.js";
import { type Scopes, scopes } from "./scopes.js";

/** The property of `globalThis` with the scopes: the judge may belong to another copy of the package than the experiment. */
const CALLS = /* @__PURE__ */ Symbol.for("openevals-wasm.middleware");

/** Set by the first experiment with a middleware, because tracking calls costs time in some runtimes. */
const globals = globalThis as { [CALLS]?: Scopes<ModelMiddleware> };

/** For experiments: the scopes in which they call evaluators. */
export function middlewareScopes(): Scopes<ModelMiddleware> {
  globals[CALLS] ??= scopes();
  return globals[CALLS];
}

/** For judges: the middleware of the current call. */
export const currentMiddleware = (): ModelMiddleware | undefined => globals[CALLS]?.current();

/** For judges: opens a model through the middleware of the current call, if there is one. */
export const openInCall = (open: () => EngineModel, asked: JudgeSource): EngineModel =>
  currentMiddleware()?.open(open, asked, {
    version: __version__,
    engine: judgesEngine,
    models: bindings.ChatModel,
  }) ?? open();

/** For middleware: throws if a judge belongs to another version, whose models may work differently. */
export function checkVersion({ version }: PackageCopy): void {
  if (version === __version__) return;
  throw invalidConfig(
    `The judge belongs to version ${version} of openevals-wasm, and the experiment to version ${__version__}. Caches, ` +
      "batches and estimates need the same version, so install only one",
  );
}
