/** Runs and feedback for LangSmith. Loaded when tracing is on. */

import type { LoadPackage } from "../platform/packages.js";
import type { About } from "./types.js";

/** The part of `langsmith/traceable` that is used. */
interface Traceable {
  traceable(work: () => Promise<unknown>, config: object): (inputs: unknown) => Promise<unknown>;
  getCurrentRunTree(permitAbsent: true): { id?: string } | undefined;
}

/** The part of `langsmith/utils/jestlike` that is used. */
interface TestContext {
  isInTestContext(): boolean;
  wrapEvaluator(work: () => Promise<unknown>): (inputs: unknown, config: object) => Promise<unknown>;
}

type Load = <Module>(name: string) => Promise<Module>;

let tracing: Promise<Traceable | undefined> | undefined;
let loadingContext: Promise<TestContext | undefined> | undefined;
let isContextKnown = false;
let context: TestContext | undefined;

/** Whether this may be a LangSmith test; unknown before the first evaluation. */
export const isInTest = (): boolean => !isContextKnown || !!context?.isInTestContext();

/**
 * Runs the work as a traced run of this name, or untraced if LangSmith is not installed.
 *
 * @param loadPackage Imports a package. A parameter, so that this file, which is loaded on use, shares no module with
 * others.
 */
export async function trace(
  name: string,
  work: (...args: any[]) => Promise<unknown>,
  args: unknown[],
  { framework = "openevals", inputs, step }: About,
  loadPackage: LoadPackage,
): Promise<unknown> {
  const load: Load = (name) => loadPackage(name) as Promise<any>;
  tracing ??= loadTraceable(load);
  const langsmith = await tracing;
  isContextKnown ||= !langsmith;
  if (!langsmith) return work(...args);
  const { traceable, getCurrentRunTree } = langsmith;
  if (step !== undefined) {
    // What follows the request are options, such as a signal.
    const request = { ...inputs, ...paramsOf(args.slice(0, 1)) };
    return traceable(() => work(...args), { name, ...(step && callOf(step)) })(request);
  }
  const runInputs = { ...inputs, ...paramsOf(args) };

  const evaluate = async () => {
    const result = await work(...args);
    const { id } = getCurrentRunTree(true) ?? {};
    if (!id || !Array.isArray(result)) return result;
    return result.map((each) => ({ ...each, sourceRunId: each.sourceRunId ?? id }));
  };
  const metadata = { __ls_framework: framework, __ls_evaluator: name, __ls_language: "js" };
  const tests = await testContext(load);
  if (tests?.isInTestContext()) return tests.wrapEvaluator(evaluate)(runInputs, { name, metadata });
  return traceable(evaluate, { name, metadata })(runInputs);
}

/** The fields of a model call that LangSmith reads. */
const callOf = (model: string) => ({
  run_type: "llm",
  metadata: { ls_provider: "openai", ls_model_name: model, ls_model_type: "chat" },
});

/** The arguments of an evaluator, which may be `(outputs, referenceOutputs)`. */
function paramsOf([first, ...rest]: unknown[]): object {
  const isParams = typeof first === "object" && first && (rest.length === 0 || "outputs" in first);
  return isParams ? withoutRun(first) : { outputs: first, referenceOutputs: rest[0] };
}

/** Without the run that LangSmith's `evaluate` passes, and without its fields, which include the key of its client. */
function withoutRun(params: Record<string, any>): object {
  const { run, example, ...rest } = params;
  if (!run || !example) return params;
  const isData = ([name]: [string, unknown]) => name === "inputs" || name === "outputs" || !(name in run);
  return Object.fromEntries(Object.entries(rest).filter(isData));
}

async function loadTraceable(load: Load): Promise<Traceable | undefined> {
  try {
    return await load<Traceable>("langsmith/traceable");
  } catch (error) {
    console.warn(
      `openevals-wasm: tracing with LangSmith is on, but langsmith could not be loaded, so evaluations are not traced: ${(error as Error).message}`,
    );
    return undefined;
  }
}

/** LangSmith's tests set `expect`, as does loading this module; without `expect`, this is not a test. */
async function testContext(load: Load): Promise<TestContext | undefined> {
  const globals = globalThis as { expect?: unknown };
  const { expect } = globals;
  if (!expect) return undefined;
  loadingContext ??= load<TestContext>("langsmith/utils/jestlike").catch(() => undefined);
  context = await loadingContext;
  isContextKnown = true;
  globals.expect = expect;
  return context;
}
