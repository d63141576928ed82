// The probe for everything that bundles: named imports, as users write them, so that tree shaking is part of the test.
import {
  createEmbeddingSimilarityEvaluator,
  createJsonMatchEvaluator,
  createLLMAsJudge,
  createTrajectoryMatchEvaluator,
  exactMatch,
  graphTrajectoryStrictMatch,
  levenshteinDistance,
  OpenEvalsError,
  trajectorySuperset,
} from "openevals-wasm";
import { probe } from "./probe.mjs";

export const score = () =>
  probe({
    createEmbeddingSimilarityEvaluator,
    createJsonMatchEvaluator,
    createLLMAsJudge,
    createTrajectoryMatchEvaluator,
    exactMatch,
    graphTrajectoryStrictMatch,
    levenshteinDistance,
    OpenEvalsError,
    trajectorySuperset,
  });
