/** The evaluators of the bench, and the same experiment in an application. */

import { literal, member } from "../../../shared/code.js";
import type { EvaluatorName, Mapping } from "./messages.js";
import type { Row } from "./reading.js";

interface UsedEvaluator {
  label: string;
  code: string;
  import: string;
  /** The entry point, unless it is the main one. */
  from?: string;
}

export const EVALUATORS: Record<EvaluatorName, UsedEvaluator> = {
  exact: { label: "Exact match", code: "exactMatch", import: "exactMatch" },
  levenshtein: {
    label: "Levenshtein similarity",
    code: "levenshteinDistance",
    import: "levenshteinDistance",
  },
  tokenF1: { label: "Token F1", code: "tokenF1", import: "tokenF1", from: "openevals-wasm/text" },
  rougeL: { label: "ROUGE-L", code: "rougeL", import: "rougeL", from: "openevals-wasm/text" },
  json: {
    label: "JSON match, average",
    code: 'createJsonMatchEvaluator({ aggregator: "average", listAggregator: "average" })',
    import: "createJsonMatchEvaluator",
  },
  trajectory: {
    label: "Trajectory, unordered",
    code: 'createTrajectoryMatchEvaluator({ trajectoryMatchMode: "unordered" })',
    import: "createTrajectoryMatchEvaluator",
  },
};

export interface Scored {
  evaluators: readonly UsedEvaluator[];
  mapping: Mapping;
  /** Whether the rows have ids. */
  hasIds: boolean;
  /** The first rows, and how many there are. */
  rows: readonly Row[];
  count: number;
}

export function codeOf({ evaluators, mapping, hasIds, rows, count }: Scored): string {
  const { inputs, outputs, reference } = mapping;
  const fields = Object.entries({ id: hasIds ? "id" : "", inputs, outputs, referenceOutputs: reference })
    .filter(([, column]) => column)
    .map(([field, column]) => `${field}: row${member(column)}`);
  const importsFrom = (module: string) => {
    const names = evaluators.filter(({ from = "openevals-wasm" }) => from === module).map((it) => it.import);
    return names.length ? `import { ${names.join(", ")} } from "${module}";\n` : "";
  };
  const cut = rows.length < count ? ` // the first of ${count.toLocaleString("en")} rows` : "";
  return `${importsFrom("openevals-wasm")}import { evaluate, writeReport } from "openevals-wasm/evaluation";
${importsFrom("openevals-wasm/text")}
const rows = ${literal(rows)};${cut}

const experiment = await evaluate(undefined, {
  data: rows.map((row) => ({ ${fields.join(", ")} })),
  evaluators: [
${evaluators.map(({ code }) => `    ${code},\n`).join("")}  ],
});
console.log(experiment.aggregates);
await writeReport(experiment, "report.html");
`;
}
