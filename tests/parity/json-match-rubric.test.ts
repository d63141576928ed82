/** JSON match with a rubric: the prompts of the judge, and the use of its answers. */
import { createJsonMatchEvaluator, type EvaluatorResult, type JudgeRequest } from "openevals-wasm";
import { test } from "vitest";
import { compare, type Difference } from "./compare.ts";
import { judgedCases } from "./json-match.cases.ts";
import {
  type Answer,
  differences as differencesWithout,
  type Question,
  reference,
  verdictsOn,
} from "./json-match.differences.ts";

const differences: Difference<Question>[] = [
  ...differencesWithout,
  {
    name: 'the judged values of a list with "all" (reference: always 0)',
    isListed: ({ options: { aggregator, listAggregator = "all" }, outputs }) =>
      Array.isArray(outputs) && aggregator === undefined && listAggregator === "all",
    instead: (input) => ({ ...input, allByAverage: true }),
  },
];

async function ours({ options, outputs, referenceOutputs, verdicts = 0 }: Question): Promise<Answer> {
  const asked: string[][] = [];
  const judge = async ({ schema }: JudgeRequest) => {
    const names = Object.keys(schema.properties as object);
    asked.push(names);
    return verdictsOn(names, verdicts, options);
  };
  const evaluator = createJsonMatchEvaluator({ ...options, judge });
  return { results: await evaluator({ outputs, referenceOutputs }), asked };
}

/**
 * The results, followed by the requests in any order. Comments only for objects, by key, and only the judge's: the
 * reference drops the others, and does not name differences.
 */
function seen({ options: { aggregator }, outputs }: Question, { results, asked }: Answer) {
  const isPlain = aggregator === undefined && !Array.isArray(outputs);
  const withComment = ({ key, score, comment }: Partial<EvaluatorResult> & Answer["results"][0]) => ({
    key,
    score: isPlain ? { score, comment: comment?.startsWith("outputs") ? undefined : comment } : score,
  });
  const questions = asked.map((names) => names.toSorted().join(" ")).sort();
  return [...results.map(withComment), { key: "asked", score: questions }];
}

test("json match with a rubric agrees with the reference", async () => {
  await compare<Question>({
    name: "json match with a rubric",
    cases: judgedCases,
    ours: async (input) => seen(input, await ours(input)),
    reference: async (input) => (await reference(input)).map((answer) => seen(input, answer)),
    differences,
    outcome: (results) => {
      const questions = (results as { score: unknown[] }[]).at(-1)?.score as string[];
      return questions.length === 0
        ? "not judged"
        : questions.length === 1
          ? "one question"
          : "several questions";
    },
    often: ["not judged", "one question", "several questions"],
  });
});
