/** Rows of imported datasets, and the experiment over them. */

import { code, type Findings, fileName, importsOf } from "../imported.js";

export interface ImportedRow {
  id?: string;
  inputs: unknown;
  outputs?: unknown;
  referenceOutputs?: unknown;
  metadata?: Record<string, unknown>;
}

/** Reads rows. Those whose id an earlier row has are left out, because an experiment cannot have both. */
export function readRows(
  list: readonly unknown[],
  placeOf: (index: number) => string,
  findings: Findings,
  read: (given: unknown, place: string) => ImportedRow | undefined,
): ImportedRow[] {
  const ids = new Set<string>();
  return list.flatMap((given, index) => {
    const place = placeOf(index);
    const row = read(given, place);
    if (!row) return [];
    if (row.id === undefined) return [row];
    if (ids.has(row.id)) {
      findings.skip(place, "an earlier row has the same id. Give each row its own");
      return [];
    }
    ids.add(row.id);
    return [row];
  });
}

/** The fields of a row that have values, except for these names. */
export const rowWithout = (row: Record<string, unknown>, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row).filter(
      ([name, value]) => !names.includes(name) && value !== undefined && value !== null && value !== "",
    ),
  );

/** The source code of evaluators, and their imports by module. */
export interface Evaluators {
  code: readonly string[];
  imports: Readonly<Record<string, readonly string[]>>;
  helper?: string;
}

/** For tools in which each answer of a list is right. */
export const ONE_OF: Evaluators = {
  code: ["isOneOf"],
  imports: { "openevals-wasm": ["exactMatch"] },
  helper: `/** Whether the answer is one of the right ones. */
const isOneOf = async ({ outputs, referenceOutputs }: any) => {
  const results = await Promise.all(
    [referenceOutputs].flat().map((right) => exactMatch({ outputs, referenceOutputs: right })),
  );
  return { key: "exact_match", score: results.some(({ score }) => score) };
};
`,
};

/** The source code of an experiment. Without evaluators of the dataset, it gets a first one. */
export function datasetFile(
  path: string,
  dataFile: string,
  rows: readonly ImportedRow[],
  imported?: Evaluators,
): string {
  const hasReferences = rows.some(({ referenceOutputs }) => referenceOutputs !== undefined);
  const first: Evaluators = hasReferences
    ? { code: ["exactMatch"], imports: { "openevals-wasm": ["exactMatch"] } }
    : { code: ["length({ min: 1 })"], imports: { "openevals-wasm/checks": ["length"] } };
  const evaluators = imported ?? first;
  const isRecorded = rows.every(({ outputs }) => outputs !== undefined);
  const target = `async () => {
    throw new Error("Call your application here, and return its answer.");
  }`;
  const imports = importsOf({ ...evaluators.imports, "openevals-wasm/evaluation": ["defineExperiment"] });
  return [
    `// Imported from ${fileName(path)}. This file is yours to change: add the evaluators that you need.\n`,
    `import { fileURLToPath } from "node:url";\n${imports}`,
    ...(evaluators.helper ? [evaluators.helper] : []),
    `export default defineExperiment({
  data: fileURLToPath(new URL(${code(dataFile)}, import.meta.url)),
${isRecorded ? "" : `  target: ${target},\n`}  evaluators: [${evaluators.code.join(", ")}],
});
`,
  ].join("\n");
}
