import { describeEval } from "openevals-wasm/vitest";
import first from "./first.eval.js";

// A test for each row, which fails if the answer is wrong. Without failUnder,
// which allows some wrong rows as long as the mean is high enough.
describeEval("first", { ...first, failUnder: {} });
