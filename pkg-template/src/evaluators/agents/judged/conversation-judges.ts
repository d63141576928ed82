import { aString, check, checkOptions, isListOf, type OptionChecks } from "../../../core/input/checks.js";
import { wellFormed } from "../../../core/input/json/well-formed.js";
import { readOutputArguments } from "../../../core/input/params.js";
import { SHARE } from "../../../core/scales.js";
import type { CalledWith, ScoreScale } from "../../../core/types.js";
import { allAsked } from "../../calls/failed-parts.js";
import { verdictComment } from "../../item-verdicts/comments.js";
import {
  type JudgedResult,
  judgedEvaluator,
  judgedResult,
  questionSettings,
  type Scored,
  SUITE_OPTIONS,
} from "../../item-verdicts/evaluator.js";
import type { IndexedPrompt } from "../../item-verdicts/prompt.js";
import { Questions, type Verdict } from "../../item-verdicts/questions.js";
import { AGENT_INSTRUCTIONS_CHECK, type JudgedAgentOptions, type JudgedAgentParams } from "./evaluator.js";
import { REQUESTS, RETENTION, ROLE } from "./questions/turns.js";
import { type AgentRecord, readRecord, type Turn } from "./record.js";

/** The keys of the metrics of {@link createConversationJudges}. */
export type ConversationMetric = "knowledge_retention" | "role_adherence" | "completeness";

/** The options of {@link createConversationJudges}. */
export interface ConversationJudgesOptions extends Omit<JudgedAgentOptions, "samples" | "feedbackKey"> {
  /** The metrics; all three by default. */
  metrics?: readonly ConversationMetric[] | undefined;
  /** The role of the agent; by default the system messages of the conversation. */
  role?: string | undefined;
}

/** The verdict on a turn. A type and not an interface, so that it is also a `Record<string, unknown>`. */
export type JudgedTurn = {
  /** The index of its first message, in `outputs`. */
  message: number;
  /** 1 if it is good, 0 if not; `null` if the metric does not apply to the turn. */
  verdict: 0 | 1 | null;
  /** The reason of the judge. */
  reason: string;
};

/** The details of a result of {@link createConversationJudges}. */
export type ConversationDetails = {
  /** The verdict on each judged turn. */
  turns: JudgedTurn[];
};

/** An evaluator of several metrics of conversations. */
export interface ConversationJudges {
  <Given extends { outputs: unknown } = JudgedAgentParams>(
    params: CalledWith<Given, JudgedAgentParams>,
  ): Promise<JudgedResult<ConversationDetails>[]>;
  /** Scores many rows in parallel; the results are in the order of the rows. */
  batch(rows: readonly JudgedAgentParams[]): Promise<JudgedResult<ConversationDetails>[][]>;
  /** The range, direction and pass mark of its scores. */
  readonly scale: ScoreScale;
  /** The keys of its results. */
  readonly resultKeys: readonly string[];
}

/** A metric: its question, the turns that it is about, and the words of its comment. */
interface Metric {
  prompt: IndexedPrompt;
  turns: "turns" | "requests";
  noun: string;
  good: string;
  by: string;
  none: string;
}

const METRICS: Readonly<Record<ConversationMetric, Metric>> = {
  knowledge_retention: {
    prompt: RETENTION,
    turns: "turns",
    noun: "turn",
    good: "consistent",
    by: " with what the user said",
    none: "no turn depends on what the user said",
  },
  role_adherence: {
    prompt: ROLE,
    turns: "turns",
    noun: "turn",
    good: "in the role",
    by: "",
    none: "the agent says nothing",
  },
  completeness: {
    prompt: REQUESTS,
    turns: "requests",
    noun: "request",
    good: "dealt with",
    by: "",
    none: "the user asks for nothing",
  },
};

/**
 * Makes one evaluator of whole conversations. Each metric asks for a verdict on each turn, and its score is the share of good
 * ones. A turn of the agent is all that it says until the user speaks again.
 *
 * - `knowledge_retention`: the share of the agent's turns that respect what the user had said, among those for which it matters.
 * - `role_adherence`: the share of the agent's turns that keep to its `role`.
 * - `completeness`: the share of the user's requests that are dealt with by the end.
 *
 * @returns An evaluator that returns a list of results `{ key, score, comment, metadata }`, with scores from 0 to 1 (best).
 * `metadata.turns` has each verdict with its reason. A metric that applies to no turn is not applicable, and so is
 * `role_adherence` without a role.
 * @throws {@link OpenEvalsError} As {@link createGoalAccuracy}; if one metric fails, the evaluator fails.
 *
 * @example
 * ```ts
 * import { createConversationJudges } from "openevals-wasm/agents";
 *
 * const judges = createConversationJudges({ model: "openai:gpt-5.4", role: "You sell shoes, and nothing else." });
 * export const scores = (messages: { role: "user" | "assistant"; content: string }[]) =>
 *   judges({ outputs: messages });
 * ```
 */
export function createConversationJudges(options: ConversationJudgesOptions): ConversationJudges {
  const maker = "createConversationJudges";
  const read = checkOptions(maker, options, OPTIONS);
  const metrics = read.metrics ?? (Object.keys(METRICS) as ConversationMetric[]);
  const settings = questionSettings(read);
  const spec = {
    key: "conversation",
    name: maker,
    resultKeys: metrics,
    scale: SHARE,
    options: read,
    settings,
  };
  return judgedEvaluator(spec, async (params) => {
    const record = readRecord(readOutputArguments(maker, [params]), "outputs");
    const role = wellFormed(read.role ?? record.system);
    return allAsked(
      metrics.map((key) => {
        const questions = new Questions(settings);
        return judgedResult(key, questions, () => scored(METRICS[key], record, role, questions));
      }),
    );
  });
}

const OPTIONS: OptionChecks<ConversationJudgesOptions> = {
  ...SUITE_OPTIONS,
  instructions: AGENT_INSTRUCTIONS_CHECK,
  metrics: check(`a list of ${Object.keys(METRICS).join(", ")}`, (metrics) => {
    return metrics.length > 0 && isListOf(metrics, (metric) => Object.hasOwn(METRICS, metric as string));
  }),
  role: aString,
};

async function scored(
  { prompt, turns: kind, noun, good, by, none }: Metric,
  record: AgentRecord,
  role: string,
  questions: Questions,
): Promise<Scored<ConversationDetails>> {
  if (prompt === ROLE && !role.trim()) return { comment: "Not applicable: the agent has no role." };
  const about = record[kind];
  const items = about.map(({ message, text }) => `Message ${message}: ${text}`);
  const answers = await questions.ask<Verdict & { applies?: 0 | 1 }>(prompt, items, {
    contexts: record.messages,
    ...(prompt === ROLE && { question: role }),
  });
  const judged = answers.map(({ verdict, reason, applies = 1 }, index) => {
    const { message } = about[index] as Turn;
    return { message, verdict, reason, applies };
  });
  const details = {
    turns: judged.map(({ applies, verdict, ...turn }) => ({ ...turn, verdict: applies ? verdict : null })),
  };
  const counted = judged.filter(({ applies }) => applies);
  if (!counted.length) return { comment: `Not applicable: ${none}.`, details };
  const label = ({ message }: { message: number }) => `outputs[${message}]`;
  return {
    score: await questions.mean(counted.map(({ verdict }) => verdict)),
    comment: verdictComment(counted, { noun, good, by, label }),
    details,
  };
}
