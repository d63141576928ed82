// The probe for subpaths: those that use the engine and one that does not, without the main entry point.
import { allOf, guard } from "openevals-wasm/checks";
import { createE2BExecutionEvaluator } from "openevals-wasm/code/e2b";
import { evaluate } from "openevals-wasm/evaluation";
import { calibrate, correctRate, improve } from "openevals-wasm/judges";
import { createResultExporter, online, trajectoriesFromOtlp } from "openevals-wasm/otel";
import { CONCISENESS_PROMPT } from "openevals-wasm/prompts";
import { CheckCriteriaEvaluator } from "openevals-wasm/recipes";
import { bpref } from "openevals-wasm/retrieval";
import { rougeL } from "openevals-wasm/text";
import { probeSubpaths } from "./probe.mjs";

export const score = () =>
  probeSubpaths(
    { createE2BExecutionEvaluator },
    { CONCISENESS_PROMPT },
    { evaluate },
    { CheckCriteriaEvaluator },
    { rougeL },
    { bpref },
    { allOf, guard },
    { calibrate, correctRate, improve },
    { createResultExporter, online, trajectoriesFromOtlp },
  );
