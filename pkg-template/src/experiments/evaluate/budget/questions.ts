/** Estimates usage from the questions of judges, without asking a model. */

import { jsonOf, parsed } from "../../../core/engine/crossing.js";
import { reasonOf } from "../../../core/errors.js";
import { withStop } from "../../../core/full-stop.js";
import { whole } from "../../../core/input/counts.js";
import { uuid } from "../../../core/platform/uuid.js";
import { costOfUsage, PriceList } from "../../../core/records/prices.js";
import type { EvaluatedRow } from "../../../evaluators/calls/row-evaluators.js";
import type { Embedded } from "../../../models/chat/embed.js";
import type {
  JudgeSource,
  ModelMiddleware,
  PackageCopy,
  TypicalAnswer,
} from "../../../models/chat/judge-model.js";
import { checkVersion, middlewareScopes } from "../../../models/chat/model-middleware.js";
import type { EngineModel } from "../../../models/chat/opener.js";
import type { Ask } from "../../../openevals-judges.types.js";
import type { ParsedRow } from "../data/types.js";
import type { Plan } from "../options/plan.js";
import { recordedAnswer } from "../target.js";
import { lengthOfAnswers } from "./answer-length.js";
import { cutText, eachRow } from "./each-row.js";
import type { Bounds, ExperimentEstimate } from "./estimate-types.js";

/** The approximate number of measured rows. If there are more, every n-th is measured. */
const MEASURED_ROWS = 1000;

/** Tokens per character, for ASCII and for other scripts. */
const TOKENS: Record<"ascii" | "others", Bounds> = {
  ascii: { low: 1 / 5, high: 1 / 3 },
  others: { low: 1 / 3, high: 3 / 2 },
};

/** Tokens per character of an answer, which is JSON: many of its tokens are punctuation. */
const ANSWER_TOKENS: Bounds = { low: 1 / 5, high: 1 / 2 };

/** The tokens of an answer with text, such as a reasoning. */
const MAX_ANSWER = 500;

/** The questions to a model, in characters. */
interface Measure {
  questions: number;
  /** The tokens of the answers. */
  output: Bounds;
  ascii: number;
  others: number;
}

/** Replaces the model: counts its questions instead of asking them. */
class QuestionCounter implements ModelMiddleware {
  readonly byModel = new Map<string, Measure>();
  hasAttachments = false;
  /** Whether there are embeddings that name no model. */
  hasUnknownEmbeddings = false;
  /** Whether questions were answered with typical answers. */
  hasTypicalAnswers = false;
  /** The number of questions of the last call, and whether a typical answer was unknown. */
  asked = 0;
  isPartial = false;
  #typicalAnswer: TypicalAnswer | undefined;

  expect(answer: TypicalAnswer): void {
    this.#typicalAnswer = answer;
  }

  open(_open: unknown, { judge, model }: JudgeSource, copy: PackageCopy): EngineModel {
    checkVersion(copy);
    const typicalAnswer = this.#typicalAnswer;
    this.#typicalAnswer = undefined;
    const own = (judge as { model?: unknown } | undefined)?.model;
    const name = model ?? (typeof own === "string" ? own : "");
    const ask: Ask = async (messages, schema) => {
      const asked = parsed(messages);
      const text = typicalAnswer?.(String(asked.at(-1)?.content));
      if (typicalAnswer && text === undefined) this.isPartial = true;
      else {
        const texts = [schema ?? "", ...asked.flatMap(({ content }) => this.#textsIn(content))];
        this.#note(name, texts, tokensOfAnswer(schema && parsed(schema).schema));
      }
      if (text === undefined) throw new Error("This question is only measured.");
      this.hasTypicalAnswers = true;
      return jsonOf({ text, finish: "complete", attempts: 1 });
    };
    return copy.models.fromClient(ask, undefined);
  }

  async embed(embeddings: unknown, texts: readonly string[]): Promise<Embedded> {
    const { model } = Object(embeddings) as { model?: unknown };
    if (typeof model === "string") this.#note(model, texts, { low: 0, high: 0 });
    else this.hasUnknownEmbeddings = true;
    return { vectors: texts.map(() => [1]), used: [] };
  }

  discard(): void {}

  wait<T>(coming: Promise<T>): Promise<T> {
    return coming;
  }

  #note(model: string, texts: readonly string[], output: Bounds): void {
    let measure = this.byModel.get(model);
    if (!measure) {
      measure = { questions: 0, output: { low: 0, high: 0 }, ascii: 0, others: 0 };
      this.byModel.set(model, measure);
    }
    this.asked++;
    measure.questions++;
    measure.output.low += output.low;
    measure.output.high += output.high;
    for (const text of texts) {
      let others = 0;
      for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 127) others++;
      measure.ascii += text.length - others;
      measure.others += others;
    }
  }

  #textsIn(content: unknown): string[] {
    if (typeof content === "string") return [content];
    if (!Array.isArray(content)) return [];
    return content.flatMap(({ text }: { text?: unknown }) => {
      if (typeof text === "string") return [text];
      this.hasAttachments = true;
      return [];
    });
  }
}

/** Measures the questions of all rows, or of a sample of about {@link MEASURED_ROWS}. */
export async function measuredQuestions(plan: Plan): Promise<ExperimentEstimate> {
  const { evaluators, repetitions, prices, target, cache, budget } = plan;
  const judges = evaluators.filter(({ isJudge }) => isJudge);
  const unknown = new Set(evaluators.flatMap(({ isJudge, name }) => (isJudge ? [] : [name])));
  /** Why judges asked nothing, by name. */
  const unasked = new Map<string, string>();
  const counter = new QuestionCounter();
  let measured = 0;
  const measure = async (row: ParsedRow) => {
    measured++;
    const answered = answeredOf(row, plan);
    for (const { name, evaluate } of judges) {
      counter.asked = 0;
      counter.isPartial = false;
      await middlewareScopes().run(counter, async () => {
        await evaluate(answered).catch((error) => {
          if (!counter.asked && !unasked.has(name)) unasked.set(name, reasonOf(error));
        });
      });
      if (!counter.asked || counter.isPartial) unknown.add(name);
    }
  };
  const { examples, isCut } = await eachRow(plan, (row, index, total) => {
    const isMeasured =
      total === undefined ? index < MEASURED_ROWS : index % Math.ceil(total / MEASURED_ROWS) === 0;
    return isMeasured && judges.length ? measure(row) : undefined;
  });
  const share = measured ? (examples * repetitions) / measured : 0;
  const sums = {
    questions: 0,
    low: { input: 0, output: 0, cost: 0 },
    high: { input: 0, output: 0, cost: 0 },
  };
  const list = new PriceList(prices ?? {});
  const unpriced = new Set<string>();
  for (const [model, { questions, output, ascii, others }] of counter.byModel) {
    sums.questions += questions * share;
    const price = list.of(model);
    if (!price) unpriced.add(model);
    for (const end of ["low", "high"] as const) {
      const inputTokens = (ascii * TOKENS.ascii[end] + others * TOKENS.others[end]) * share;
      const outputTokens = output[end] * share;
      sums[end].input += inputTokens;
      sums[end].output += outputTokens;
      if (price) sums[end].cost += costOfUsage({ inputTokens, outputTokens }, price);
    }
  }
  const asked = Math.round(sums.questions);
  const between = (kind: "input" | "output"): Bounds => ({
    low: Math.floor(sums.low[kind]),
    high: Math.ceil(sums.high[kind]),
  });
  return {
    rows: examples * repetitions,
    measured: measured * repetitions,
    questions: { low: asked, high: asked },
    inputTokens: between("input"),
    outputTokens: between("output"),
    ...(prices && { cost: { low: sums.low.cost, high: sums.high.cost } }),
    ...(prices && unpriced.size ? { unpriced: [...unpriced] } : undefined),
    unknown: [...unknown],
    assumptions: [
      "A token is three to five characters of ASCII, or two thirds of a character to three characters of other scripts.",
      `An answer has as many tokens as its schema needs, and up to ${MAX_ANSWER} with text; reasoning models write more.`,
      ...(target
        ? ["The target is not run: its answers are assumed to be as long as the reference outputs."]
        : []),
      ...unaskedTexts(unasked, target !== undefined),
      ...(counter.hasTypicalAnswers
        ? [
            "A sentence is assumed to make two supported claims, and the questions that an answer seems to answer to be as long as it.",
          ]
        : []),
      ...(counter.hasUnknownEmbeddings ? ["Embeddings of functions are not counted."] : []),
      ...(counter.hasAttachments ? ["Attachments are not counted."] : []),
      ...(isCut ? [cutText(examples)] : []),
      ...(measured < examples ? [`Of ${whole(examples)} rows, ${whole(measured)} represent all.`] : []),
      ...(cache ? ["The cache is assumed to be empty."] : []),
      ...(budget ? ["The budget is not applied: all rows are run."] : []),
      "Each question is asked once. Questions that are asked again after an unusable answer add to this.",
    ],
  };
}

/** The tokens of an answer, by the JSON text of its schema. */
function tokensOfAnswer(schema: string | undefined): Bounds {
  const [least, most] = lengthOfAnswers(schema && JSON.parse(schema));
  return {
    low: Math.max(1, Math.floor(least * ANSWER_TOKENS.low)),
    high: Math.min(MAX_ANSWER, Math.ceil(most * ANSWER_TOKENS.high)),
  };
}

/** Why some judges asked nothing. Answers of the target may have fields, such as `context`, that reference outputs lack. */
function unaskedTexts(unasked: ReadonlyMap<string, string>, hasTarget: boolean): string[] {
  if (!unasked.size) return [];
  if (!hasTarget)
    return Array.from(unasked, ([name, reason]) => `${name} asks nothing here: ${withStop(reason)}`);
  return [
    `Without the answers of the target, these ask nothing: ${[...unasked.keys()].join(", ")}. An estimate that runs some rows includes them.`,
  ];
}

/** A row as evaluators get it. */
function answeredOf(row: ParsedRow, { target }: Plan): EvaluatedRow {
  if (!target) return recordedAnswer(row, 0);
  const { given } = row;
  const run = {
    id: uuid(),
    startTime: Date.now(),
    durationMs: 0,
    repetition: 0,
    outputs: given.outputs ?? "",
  };
  return { example: given, run };
}
