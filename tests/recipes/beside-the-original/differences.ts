/** The intended differences from the original, each with its reason. The guide has all of them. */
import type { EvaluationName, RecipeMessage } from "openevals-wasm/recipes";
import type { Script } from "../gold-set-scripts.ts";

/** The result of an evaluation. */
export interface Result {
  applicable?: boolean;
  score?: number;
  /** How often the model was asked. */
  calls?: number;
  /** The names in the feedback, sorted; not there without a feedback. */
  feedback?: string[];
  /** Other counts. */
  counts?: Record<string, number>;
  /** The code of the error, where there is no result. */
  error?: string;
}

/** An evaluation of a conversation. */
export interface Case {
  conversation: string;
  name: EvaluationName;
  messages: RecipeMessage[];
  tools: { function: { name: string } }[];
  config: Record<string, any>;
  /** The answer of the model; without one, it is unusable. */
  script: Script | undefined;
}

/** A difference. */
interface Difference {
  about: string;
  why: string;
  /** Whether it makes one here. */
  applies(evaluated: Case, original: Result): boolean;
  /** Our result. */
  ours(original: Result, evaluated: Case): Result;
}

const nothing = (): Result => ({ applicable: false, score: 0, calls: 0 });
const failure = (): Result => ({ error: "invalid_judge_output" });

const isSaid = ({ role, content }: RecipeMessage): boolean =>
  role === "assistant" && content !== "" && content != null;

function isAnswered(messages: RecipeMessage[]): boolean {
  const last = messages.findLastIndex(({ role }) => role === "user");
  return messages.slice(last + 1).some(({ role, type }) => role === "assistant" || type === "function_call");
}

export const DIFFERENCES: Difference[] = [
  {
    about: "an answer of the model that cannot be used",
    why: "a failure is never a score",
    applies: ({ script }) => script === undefined,
    ours: failure,
  },
  {
    about: "tool_usage: tools that the model leaves out, or names otherwise",
    why: "a failure is never a score: in the original, they count as needless",
    applies: ({ name, tools, script }) =>
      name === "tool_usage" &&
      script !== undefined &&
      tools.some((tool) => !Object.hasOwn(script, tool.function.name)),
    ours: failure,
  },
  {
    about: "tool_usage: a probability out of range",
    why: "a failure is never a score: nobody knows what was meant",
    applies: ({ name, script }) =>
      name === "tool_usage" &&
      Object.values(script ?? {}).some((probability) => Number(probability) < 0 || Number(probability) > 100),
    ours: failure,
  },
  {
    about: "guidance, tool_usage: a request that nobody has answered",
    why: "there is nothing to score",
    applies: ({ name, messages }) => ["guidance", "tool_usage"].includes(name) && !isAnswered(messages),
    ours: nothing,
  },
  {
    about: "check_criteria, preference_adherence: no answer with text",
    why: "there is nothing to judge",
    applies: ({ name, messages }) =>
      ["check_criteria", "preference_adherence"].includes(name) && !messages.some(isSaid),
    ours: nothing,
  },
  {
    about: "check_criteria: no criteria",
    why: "there is nothing to improve, so there is no feedback",
    applies: ({ name, config }) => name === "check_criteria" && config["criteria"].length === 0,
    ours: nothing,
  },
  {
    about: "preference_adherence: no preference applies",
    why: "a score of 0 would say that the answer was bad",
    applies: ({ name, script }, { applicable }) =>
      name === "preference_adherence" &&
      applicable === true &&
      Object.values(script ?? {}).every(([, , determination]) => determination === "not_applicable"),
    ours: (original) => ({ ...original, applicable: false }),
  },
  {
    about: "tool_usage: a call without a result, or that nobody has asked for",
    why: "whether a tool should be called does not depend on that",
    applies: ({ conversation }) => ["a call without a result", "nobody has asked"].includes(conversation),
    ours: (original, { name }) =>
      name === "tool_usage" ? { applicable: true, score: 100, calls: 1 } : original,
  },
  {
    about: "calls in the form of Chat Completions",
    why: "what is not read is not evaluated",
    applies: ({ conversation, name }) =>
      conversation === "calls in Chat Completions" && name === "tool_usage",
    ours: () => ({ applicable: true, score: 100, calls: 1 }),
  },
  {
    about: "claim_verification: the feedback",
    why: "it names exactly the sentences that cost score",
    applies: ({ name }, { feedback }) => name === "claim_verification" && feedback !== undefined,
    ours: ({ feedback: _, ...original }, { script, config }) => {
      const { verificationThreshold = 70, isOpenDomainThreshold = 50 } = config;
      const costs = ([, verified, open]: [string, number, number]) =>
        verified < verificationThreshold && open < isOpenDomainThreshold;
      const sentences = Object.entries(script as Record<string, [string, number, number][]>).flatMap(
        ([sentence, claims]) => claims.filter(costs).map(() => sentence),
      );
      return { ...original, ...(sentences.length && { feedback: sentences.sort() }) };
    },
  },
  {
    about: "an evaluation that is not applicable",
    why: "no score that looks real: the original has -1 for guidance, and figures for claims",
    applies: (_, { applicable }) => applicable === false,
    ours: (original) => (original.error ? original : { ...original, score: 0 }),
  },
];
