/** Detects the tool that wrote a file. */

import { isRecord } from "../../../core/input/objects.js";
import { usageError } from "../cli-error.js";
import { FORMATS, type ImportFormat } from "./options.js";

/** Fields of documents and rows by which tools are recognised; the first match counts. */
const SIGNS: readonly [ImportFormat, (fields: ReadonlySet<string>) => boolean][] = [
  ["inspect", (has) => has.has("eval") && has.has("samples")],
  ["openai-evals", (has) => has.has("testing_criteria") || (has.has("input") && has.has("ideal"))],
  [
    "promptfoo",
    (has) =>
      ["prompts", "tests", "providers", "targets", "defaultTest", "scenarios", "redteam"].filter((name) =>
        has.has(name),
      ).length > 1,
  ],
  [
    "deepeval",
    (has) =>
      ["actual_output", "retrieval_context", "goldens", "test_cases", "expected_outcome"].some((name) =>
        has.has(name),
      ),
  ],
  ["langfuse", (has) => has.has("expectedOutput") || (has.has("datasetId") && has.has("input"))],
  [
    "langsmith",
    (has) =>
      has.has("inputs") ||
      has.has("dataset_id") ||
      [...has].some((name) => /^(inputs?|outputs?)[._]/.test(name)),
  ],
  [
    "braintrust",
    (has) => has.has("input") && (has.has("expected") || has.has("output") || has.has("_xact_id")),
  ],
  ["deepeval", (has) => has.has("input") && has.has("expected_output")],
  ["inspect", (has) => has.has("input") && has.has("target")],
  ["openai-evals", (has) => has.has("class") && has.has("args")],
];

export function formatOf(content: unknown, path: string): ImportFormat {
  const fields = fieldsOf(Array.isArray(content) ? content[0] : content);
  const inner = isRecord(content) ? Object.values(content) : [];
  const wrapped =
    inner.find(Array.isArray)?.[0] ?? inner.find((value) => isRecord(value) && "class" in value);
  const found = formatWith(fields) ?? formatWith(fieldsOf(wrapped));
  if (found) return found;
  if (/\.eval$/.test(path))
    throw usageError(`${path} is a binary log of Inspect. Convert it with: inspect log dump ${path}`);
  if (fields.has("resourceSpans"))
    throw usageError(
      `${path} has traces, not rows. Read it in code, with trajectoriesFromOtlp of openevals-wasm/otel`,
    );
  const shown = [...fields].slice(0, 12).join(", ");
  throw usageError(
    `${path} is not recognised${shown ? `: it has ${shown}` : ""}. Name the tool with --from, one of ${FORMATS.join(", ")}; for rows with other columns, use score --map`,
  );
}

const fieldsOf = (value: unknown): ReadonlySet<string> => new Set(isRecord(value) ? Object.keys(value) : []);

const formatWith = (fields: ReadonlySet<string>): ImportFormat | undefined =>
  SIGNS.find(([, matches]) => matches(fields))?.[0];
