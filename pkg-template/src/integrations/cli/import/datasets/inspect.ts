/** Imports logs of Inspect AI (samples with answers and scores), and its datasets. */

import { isRecord } from "../../../../core/input/objects.js";
import { usageError } from "../../cli-error.js";
import type { Findings, Imported, ImportSource } from "../imported.js";
import { placeOfRow, readCell } from "./dataset.js";
import { datasetFile, type ImportedRow, ONE_OF, readRows, rowWithout } from "./rows.js";

/** The scores of Inspect's letters: correct, partial, incorrect, no answer. */
const LETTERS: Readonly<Record<string, number>> = { C: 1, P: 0.5, I: 0, N: 0 };

export function importInspect(source: ImportSource): Imported {
  return Array.isArray(source.content) ? importSamples(source) : importLog(source);
}

function importLog({ path, content, findings }: ImportSource): Imported {
  const { samples, status = "success" } = isRecord(content) ? content : {};
  if (!Array.isArray(samples))
    throw usageError(
      `${path} is not a log of Inspect with samples. Convert it with: inspect log dump <file>`,
    );
  if (status !== "success")
    findings.differ("status", `the run ended with ${JSON.stringify(status)}, so the log may lack samples`);
  const rows = readRows(
    samples,
    (index) => `samples[${index}]`,
    findings,
    (sample, place) => rowOf(sample, place, findings),
  );
  const isScored = rows.some(({ metadata }) => metadata?.scores);
  const evaluators = isScored ? { code: ["recorded"], imports: {}, helper: RECORDED } : ONE_OF;
  return { rows, code: (dataFile) => datasetFile(path, dataFile, rows, evaluators) };
}

/** The fields of a sample that solvers read. */
const SOLVER_FIELDS = ["choices", "files", "setup", "sandbox"];

function importSamples({ path, content, findings }: ImportSource): Imported {
  const rows = readRows(
    content as unknown[],
    placeOfRow,
    findings,
    (given, place): ImportedRow | undefined => {
      const sample = isRecord(given) ? Object.fromEntries(Object.entries(given).map(parsedCell)) : {};
      const { id, input, target, metadata } = sample;
      if (input === undefined || input === "") return void findings.skip(place, "it has no input");
      const question = typeof input === "string" ? { input } : { messages: input };
      if (typeof sample.choices === "string") sample.choices = sample.choices.split(",");
      const more = Object.fromEntries(
        SOLVER_FIELDS.flatMap((name) => (sample[name] === undefined ? [] : [[name, sample[name]]])),
      );
      const rest = {
        ...rowWithout(sample, ["id", "input", "target", "metadata", ...SOLVER_FIELDS]),
        ...(isRecord(metadata) && metadata),
      };
      const isText = typeof input === "string" && !Object.keys(more).length;
      return {
        ...(id !== undefined && { id: String(id) }),
        inputs: isText ? input : { ...question, ...more },
        ...(target !== undefined && target !== "" && { referenceOutputs: target }),
        ...(Object.keys(rest).length && { metadata: rest }),
      };
    },
  );
  return { rows, code: (dataFile) => datasetFile(path, dataFile, rows, ONE_OF) };
}

/** A cell of CSV with its lists and objects, which are JSON. */
const parsedCell = ([name, value]: [string, unknown]): [string, unknown] => [name, readCell(value)];

const RECORDED = `/** The scores that Inspect recorded. Replace them by evaluators to score again. */
const recorded = ({ example }: any) =>
  Object.entries<any>(example.metadata?.scores ?? {}).map(([key, { score, comment }]) => ({ key, score, comment }));
`;

function rowOf(given: unknown, place: string, findings: Findings): ImportedRow | undefined {
  if (!isRecord(given) || given.input === undefined) return void findings.skip(place, "it has no input");
  const { id, epoch = 1, attachments, error } = given;
  const read = (value: unknown) => withAttachments(value, isRecord(attachments) ? attachments : {});
  const names = ["input", "target", "output", "metadata", "scores"];
  const [input, target, output, metadata, scores] = names.map((name) => read(given[name]));
  if (isRecord(error)) return void findings.skip(place, "it ended with an error, and has no answer");
  const answer = answerOf(output);
  if (answer === undefined) return void findings.skip(place, "it has no answer");
  const rowId = id === undefined ? {} : { id: epoch === 1 ? String(id) : `${id} (epoch ${epoch})` };
  const recorded = scoresOf(scores, place, findings);
  const more = {
    ...(isRecord(metadata) && metadata),
    ...(Object.keys(recorded).length && { scores: recorded }),
  };
  const reference = Array.isArray(target) && target.length < 2 ? target[0] : target;
  return {
    ...rowId,
    inputs: isRecord(input) || Array.isArray(input) ? { messages: input } : input,
    outputs: answer,
    ...(reference !== undefined && reference !== "" && { referenceOutputs: reference }),
    ...(Object.keys(more).length && { metadata: more }),
  };
}

/** A value with its attachments: logs store long texts separately. */
function withAttachments(value: unknown, attachments: Readonly<Record<string, unknown>>): unknown {
  if (typeof value === "string") {
    const [, key = ""] = /^attachment:\/\/(\w+)$/.exec(value) ?? [];
    return Object.hasOwn(attachments, key) ? attachments[key] : value;
  }
  if (Array.isArray(value)) return value.map((one) => withAttachments(one, attachments));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, withAttachments(one, attachments)]),
  );
}

/** The text of the first choice. */
function answerOf(output: unknown): string | undefined {
  if (!isRecord(output)) return undefined;
  if (typeof output.completion === "string") return output.completion;
  const [choice] = Array.isArray(output.choices) ? output.choices : [];
  const message = isRecord(choice) ? choice.message : undefined;
  const content = isRecord(message) ? message.content : undefined;
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return undefined;
  return content.map((part) => (isRecord(part) && typeof part.text === "string" ? part.text : "")).join("");
}

interface RecordedScore {
  score: number | boolean;
  comment?: string;
}

function scoresOf(scores: unknown, place: string, findings: Findings): Record<string, RecordedScore> {
  const read: Record<string, RecordedScore> = {};
  for (const [key, given] of Object.entries(isRecord(scores) ? scores : {})) {
    const { value, explanation } = isRecord(given) ? given : {};
    const score = typeof value === "string" && Object.hasOwn(LETTERS, value) ? LETTERS[value] : value;
    if (typeof score !== "number" && typeof score !== "boolean") {
      findings.skip(`${place}.scores.${key}`, "its value is neither a number nor C, P, I or N");
      continue;
    }
    read[key] = { score, ...(typeof explanation === "string" && { comment: explanation }) };
  }
  return read;
}
