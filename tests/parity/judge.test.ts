/** Judges: the prompts that the model reads, and the use of its answers. */
import fc from "fast-check";
import { createLLMAsJudge } from "openevals-wasm";
import { test } from "vitest";
import { compare, type Difference } from "./compare.ts";
import { openevals } from "./reference.ts";
import { leaves, values } from "./values.ts";

interface Case {
  options: {
    prompt: string;
    system?: string;
    feedbackKey?: string;
    continuous?: boolean;
    choices?: number[];
    useReasoning?: boolean;
    fewShotExamples?: { inputs: unknown; outputs: unknown; score: number | boolean; reasoning?: string }[];
  };
  variables: Record<string, unknown>;
  answer: { score: boolean | number; reasoning: string };
}

const pieces = fc.constantFrom(
  ..."Is it right?|\n|{{|}}|{{inputs}}|{inputs}|{outputs}|{reference_outputs}|{context}|{outputs}|é\u{1f600}".split(
    "|",
  ),
);
const brokenPieces = fc.constantFrom("{", "}", "{ inputs }", "{inputs!r}", "{missing}", "{}");
const prompt = fc
  .tuple(
    fc.array(pieces, { minLength: 1, maxLength: 6 }),
    fc.oneof({ weight: 15, arbitrary: fc.constant("") }, brokenPieces),
  )
  .map(([parts, broken]) => parts.join(" ") + broken);

const value = fc.oneof(
  fc.constantFrom("", "Paris", "{outputs}", "a }} b"),
  values(leaves, fc.constantFrom("a", "b")),
);
const few = fc.record(
  { inputs: value, outputs: value, score: fc.constantFrom(true, 0.5) },
  { requiredKeys: ["inputs", "outputs", "score"] },
);

type Scale = Pick<Case["options"], "continuous" | "choices">;
const booleans = fc.record({
  answer: fc.record({ score: fc.boolean(), reasoning: fc.constantFrom("", "Why.") }),
  scale: fc.constant<Scale>({}),
});
const numbers = fc.record({
  answer: fc.record({ score: fc.constantFrom(0, 0.5, 1), reasoning: fc.constant("Why.") }),
  scale: fc.constantFrom<Scale>({ continuous: true }, { choices: [0, 0.5, 1] }),
});

const cases: fc.Arbitrary<Case> = fc
  .record({
    prompt,
    scored: fc.oneof(booleans, numbers),
    rest: fc.record(
      {
        system: fc.constantFrom("Be strict.", "Answer {outputs} in JSON."),
        feedbackKey: fc.constantFrom("score", "correctness"),
        useReasoning: fc.boolean(),
        fewShotExamples: fc.array(few, { minLength: 1, maxLength: 2 }),
      },
      { requiredKeys: [] },
    ),
    variables: fc.record(
      { inputs: value, outputs: value, referenceOutputs: value, context: value },
      { requiredKeys: ["inputs", "outputs", "context"] },
    ),
  })
  .map(({ prompt: text, scored, rest, variables }) => {
    return { options: { prompt: text, ...rest, ...scored.scale }, variables, answer: scored.answer };
  });

interface Message {
  role: string;
  content: unknown;
}
interface Result {
  key: string;
  score: unknown;
  comment?: string | undefined;
}

/** The compared values: the messages and the answer, as the score of one result. */
function seen({ key, score, comment }: Result, messages: Message[]) {
  return {
    key,
    score: { score, comment, messages: messages.map(({ role, content }) => ({ role, content })) },
  };
}

async function ours({ options, variables, answer }: Case) {
  let got: Message[] = [];
  const judge = async ({ messages }: { messages: Message[] }) => {
    got = messages;
    return options.useReasoning === false ? { score: answer.score } : answer;
  };
  return seen(await createLLMAsJudge({ ...options, judge })(variables), got);
}

async function reference({ options, variables, answer }: Case) {
  let got: Message[] = [];
  const create = async ({ messages }: { messages?: Message[] }) => {
    got = messages ?? [];
    return { choices: [{ message: { role: "assistant" as const, content: JSON.stringify(answer) } }] };
  };
  const judge = { chat: { completions: { create } } };
  return [seen(await openevals.createLLMAsJudge({ ...options, judge, model: "stub" })(variables), got)];
}

/** The judge of the reference scores an answer that its prompt does not show. */
const hidden: Difference<Case> = {
  name: "an answer that the prompt does not show",
  isListed({ options: { prompt }, variables: { inputs, outputs } }) {
    const names = prompt.replaceAll(/\{\{|\}\}/g, "").match(/\{[^}]*\}/g) ?? [];
    const isDoubled = prompt.includes("{{inputs}}") && !names.includes("{inputs}") && inputs !== undefined;
    return isDoubled || (!names.length && outputs !== undefined);
  },
  instead: "refused",
};

test("judges send the same prompts as the reference, and make the same results of the answers", async () => {
  await compare<Case>({
    name: "judge",
    cases,
    ours,
    reference,
    differences: [hidden],
    outcome: (result) => typeof (result as { score: { score: unknown } }).score.score,
    often: ["boolean", "number"],
  });
});
