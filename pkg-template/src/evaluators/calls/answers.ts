/**
 * The answers of judges with an `outputSchema`. A judge returns them unchanged, so its key and metadata are kept beside
 * them. Without these, an experiment would neither count the tokens nor stop at a budget.
 */

/** The judge that gave an answer. */
interface AnswerOrigin {
  key: string;
  metadata: Record<string, unknown>;
}

/** The property of `globalThis` with the origins: the judge may belong to another copy of the package than the experiment. */
const ORIGINS = /* @__PURE__ */ Symbol.for("openevals-wasm.answerOrigins");

/** Set by the first answer. Looking for origins takes a twentieth of the time of a row, and most experiments have none. */
const globals = globalThis as { [ORIGINS]?: WeakMap<object, AnswerOrigin> };

const originOf = (answer: unknown): AnswerOrigin | undefined => globals[ORIGINS]?.get(answer as object);

/** Notes the judge of an answer. */
export function noteOrigin(answer: unknown, origin: AnswerOrigin): void {
  if (typeof answer !== "object" || answer === null) return;
  globals[ORIGINS] ??= new WeakMap();
  globals[ORIGINS].set(answer, origin);
}

/**
 * The results in the return value of an evaluator: answers of judges become results, and results whose `value` is such
 * an answer get its metadata. If several results have the same one, only the first gets it, so that tokens count once.
 */
export function resultsIn(returned: unknown): unknown[] {
  const list = listOf(returned);
  // Unlike `slice`, this fills the holes of a list.
  if (!globals[ORIGINS]) return [...list];
  const whole = originOf(returned);
  // A schema may ask for a list of results. All other answers are values.
  const isListOfResults = list.length > 0 && list.every((entry) => typeof Object(entry).key === "string");
  if (whole && !isListOfResults) return [resultOf(returned, whole)];
  const counted = new Set<AnswerOrigin>();
  return Array.from(list, (entry) => {
    const ownOrigin = originOf(entry);
    if (ownOrigin) return resultOf(entry, ownOrigin);
    const origin = whole ?? originOf(Object(entry).value);
    if (!origin || counted.has(origin)) return entry;
    counted.add(origin);
    const result = entry as { metadata?: object };
    return { ...result, metadata: { ...origin.metadata, ...result.metadata } };
  });
}

/** Prepares a return value for another thread. Answers of judges would lose their metadata there, so they become results. */
export function withMetadata(returned: unknown): unknown {
  const list = listOf(returned);
  const results = resultsIn(returned);
  return results.every((result, index) => result === list[index]) ? returned : results;
}

function listOf(returned: unknown): readonly unknown[] {
  if (Array.isArray(returned)) return returned;
  const { results } = Object(returned);
  return Array.isArray(results) ? results : [returned];
}

/** Reads the score and explanation of an answer from the fields that judges without a schema fill in. */
function resultOf(answer: unknown, { key, metadata }: AnswerOrigin): object {
  const {
    key: answerKey,
    score,
    applicable,
    reasoning,
    comment = reasoning,
  } = answer as Record<string, unknown>;
  return {
    key: typeof answerKey === "string" && answerKey ? answerKey : key,
    ...(score !== undefined && { score }),
    ...(applicable !== undefined && { applicable }),
    comment,
    value: answer,
    metadata,
  };
}
