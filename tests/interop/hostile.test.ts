/** Hostile evaluators, scorers and models are an `OpenEvalsError` everywhere in the adapters. */

import { exactMatch } from "openevals-wasm";
import * as interop from "openevals-wasm/interop";
import { describe } from "vitest";
import { testExports, testRefusals, UNREADABLE } from "../hostile-values.ts";

const next = () => exactMatch("a", "a");

describe("values that cannot be read", () =>
  testRefusals(
    {
      fromAutoevals: interop.fromAutoevals,
      fromDecisionModel: interop.fromDecisionModel,
      toAutoevals: interop.toAutoevals,
      toMastraScorer: (evaluator) => interop.toMastraScorer(evaluator, { createScorer: () => ({}) }),
      toVitestEvalsJudge: interop.toVitestEvalsJudge,
    },
    UNREADABLE,
    ["invalid_config"],
    next,
  ));

describe("every function, with hostile arguments", () => testExports(interop, next));
