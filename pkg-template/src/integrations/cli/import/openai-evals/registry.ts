/** Imports evals of the repository openai/evals: a file of its registry, and samples as JSON lines. */

import { isRecord } from "../../../../core/input/objects.js";
import { usageError } from "../../cli-error.js";
import { datasetFile, type Evaluators, type ImportedRow, ONE_OF, rowWithout } from "../datasets/rows.js";
import { readContent } from "../files.js";
import type { Findings, Imported, ImportSource } from "../imported.js";

/** Whether an answer is right, as source code of the texts `answer` and `right`; by the class of the eval. */
const CLASSES: Readonly<Record<string, string>> = {
  Match: "answer.startsWith(right)",
  Includes: "answer.includes(right)",
  FuzzyMatch: "isClose(answer, right)",
};

const IS_CLOSE = `/** Whether a text is in the other, without case, punctuation and articles. */
function isClose(one: string, other: string): boolean {
  const words = (text: string) =>
    text.toLowerCase().replace(/[!-/:-@[-\`{-~]/g, "").replace(/\\b(?:a|an|the)\\b/g, " ").split(/\\s+/).filter(Boolean).join(" ");
  const [first, second] = [words(one), words(other)];
  if (!first || !second) return first === second;
  return first.includes(second) || second.includes(first);
}
`;

/** Arguments that are supported, or that do not change scores. */
const KNOWN_ARGUMENTS = ["samples_jsonl", "ignore_case", "max_tokens"];

interface Spec {
  name: string;
  type: string;
  args: Record<string, unknown>;
}

/** Whether a document is a file of the registry. */
export const isRegistry = (content: unknown): content is Record<string, unknown> =>
  specsOf(content).length > 0;

const specsOf = (content: unknown): Spec[] =>
  Object.entries(isRecord(content) ? content : {}).flatMap(([name, spec]) => {
    const [, type] = isRecord(spec) ? (/^evals\.[\w.]+:(\w+)$/.exec(String(spec.class)) ?? []) : [];
    if (type === undefined) return [];
    const { args } = spec as Record<string, unknown>;
    return [{ name, type, args: isRecord(args) ? args : {} }];
  });

export async function importRegistry(
  { path, content, findings }: ImportSource,
  data: string | undefined,
): Promise<Imported> {
  const specs = specsOf(content);
  const [spec, other] = data === undefined ? specs : specs.filter(({ args }) => hasSamples(args, data));
  if (data === undefined || !spec) {
    const files = specs.flatMap(({ args }) =>
      typeof args.samples_jsonl === "string" ? args.samples_jsonl : [],
    );
    const names = [...new Set(files)].join(", ");
    throw usageError(
      `${path} has its samples in other files. Name one of them: --data <folder>/${names || "samples.jsonl"}`,
    );
  }
  if (other)
    findings.skip(
      other.name,
      `it has the same samples as ${spec.name}. Import a copy of the file without the other`,
    );
  return samples(path, await readContent(data), findings, evaluatorsOf(spec, findings) ?? ONE_OF);
}

/** Imports samples without their eval, so without its class: exact matches of an ideal answer count. */
export const importSamples = ({ path, content, findings }: ImportSource): Imported =>
  samples(path, content, findings, ONE_OF);

/** Whether the arguments of an eval name this file of samples. */
const hasSamples = ({ samples_jsonl: file }: Record<string, unknown>, data: string): boolean =>
  typeof file === "string" &&
  `/${data.replaceAll("\\", "/")}`.endsWith(`/${file.split("/").slice(-2).join("/")}`);

function evaluatorsOf({ name, type, args }: Spec, findings: Findings): Evaluators | undefined {
  const isRight = Object.hasOwn(CLASSES, type) ? CLASSES[type] : undefined;
  if (!isRight) {
    findings.skip(name, `the class ${type} is not supported. Write it as a function in evaluators`);
    return undefined;
  }
  for (const argument of Object.keys(args))
    if (!KNOWN_ARGUMENTS.includes(argument))
      findings.skip(`${name}.args.${argument}`, "it is not supported. Do the same in the target");
  const lowerCase = args.ignore_case === true ? ".toLowerCase()" : "";
  return {
    code: ["accuracy"],
    imports: {},
    helper: `${type === "FuzzyMatch" ? `${IS_CLOSE}\n` : ""}/** ${type} of openai/evals: any of the ideal answers is right. */
const accuracy = ({ outputs, referenceOutputs }: any) => {
  const answer = String(outputs)${lowerCase};
  const rights = [referenceOutputs].flat().map((right) => String(right)${lowerCase});
  return { key: "accuracy", score: rights.some((right) => ${isRight}) };
};
`,
  };
}

function samples(path: string, content: unknown, findings: Findings, evaluators: Evaluators): Imported {
  if (!Array.isArray(content)) throw usageError(`${path} has no samples as JSON lines`);
  const rows: ImportedRow[] = content.flatMap((sample, index) => {
    if (!isRecord(sample) || sample.input === undefined || sample.ideal === undefined) {
      findings.skip(`sample ${index + 1}`, "it has no input or no ideal answer");
      return [];
    }
    const { input, ideal } = sample;
    const metadata = rowWithout(sample, ["input", "ideal"]);
    return [
      {
        inputs: Array.isArray(input) ? { messages: input } : input,
        referenceOutputs: ideal,
        ...(Object.keys(metadata).length && { metadata }),
      },
    ];
  });
  return { rows, code: (dataFile) => datasetFile(path, dataFile, rows, evaluators) };
}
