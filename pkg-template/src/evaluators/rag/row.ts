/** Reads the parameters of RAG metrics. */

import { invalidInput } from "../../core/errors.js";
import { isListOf, show } from "../../core/input/checks.js";
import { wellFormed } from "../../core/input/json/well-formed.js";
import { kindOf, referenceOf } from "../../core/input/params.js";
import { toText } from "../../core/input/text.js";
import { listIn } from "../../models/conversation/list.js";
import { Conversation } from "../recipes/conversation.js";
import type { RecipeMessage } from "../recipes/types.js";
import { type RagContext, type ReadContext, readContexts, rejectWrittenList } from "./contexts.js";

/** The parameters of a RAG metric. Each metric documents what it needs. */
export interface RagParams {
  /** The question of the user: a text, or messages, whose last user message is the question. */
  inputs?: unknown;
  /** The answer of the application: a text, or messages, whose last answer counts. */
  outputs?: unknown;
  /** The retrieved contexts, best first. In an experiment, also `context` in the metadata of the row. */
  context?: readonly RagContext[] | RagContext | undefined;
  /** The right answer, as a text. An empty one counts as missing. */
  referenceOutputs?: unknown;
  /** An alias of `referenceOutputs`, as in the Python packages. */
  reference_outputs?: unknown;
  /** The claims of `outputs`, if they are known, such as those that people have labelled. They are not extracted. */
  claims?: readonly string[] | undefined;
  /** The claims of `referenceOutputs`, if they are known. */
  referenceClaims?: readonly string[] | undefined;
  /** Other fields of a row are ignored. */
  [field: string]: unknown;
}

/** The parts of a row that a metric may need. */
export type Part = "inputs" | "outputs" | "context" | "referenceOutputs";

/** A row as metrics read it. */
export interface RagRow {
  question?: string;
  answer?: string;
  reference?: string;
  contexts?: ReadContext[];
  claims?: readonly string[];
  referenceClaims?: readonly string[];
}

/** Finds the contexts of a row; `undefined` if nothing was retrieved. */
export type ContextSource = (params: any) => unknown;

/** Reads these parts of a row, and the question. Other parts may be anything, such as a label as the reference. */
export function readRow(
  name: string,
  params: unknown,
  contextFrom: ContextSource | undefined,
  parts: readonly Part[],
): RagRow {
  if (typeof params !== "object" || params === null) {
    throw invalidInput(`${name} was called with ${kindOf(params)}. Call it with { outputs, … }`);
  }
  const { inputs, outputs, context, claims, referenceClaims } = params as RagParams;
  const reads = (part: Part) => parts.includes(part);
  const rawReference = reads("referenceOutputs") ? referenceOf(params as RagParams) : undefined;
  const reference = rawReference == null ? "" : textOf(rawReference, "referenceOutputs", "assistant");
  const ofRow = () => (params as { example?: { metadata?: RagParams } }).example?.metadata?.context;
  const found = !reads("context") ? undefined : contextFrom ? contextFrom(params) : (context ?? ofRow());
  // A tool may have returned such a text, and the model read it as one.
  if (!contextFrom) rejectWrittenList(found);
  return {
    ...(inputs != null && { question: textOf(inputs, "inputs", "user") }),
    ...(outputs != null && reads("outputs") && { answer: textOf(outputs, "outputs", "assistant") }),
    // Compared with an empty reference, an answer could have the best score.
    ...(reference.trim() && { reference }),
    ...(found != null && { contexts: readContexts(found) }),
    ...(claims !== undefined && { claims: listOfClaims(claims, "claims") }),
    ...(referenceClaims !== undefined && {
      referenceClaims: listOfClaims(referenceClaims, "referenceClaims"),
    }),
  };
}

/** The text of a side: itself, the last message of the role, or the only field of an object. */
function textOf(value: unknown, place: string, role: "user" | "assistant"): string {
  if (typeof value === "string") return wellFormed(value);
  const messages = listIn(value);
  if (messages) return wellFormed(new Conversation(messages as RecipeMessage[]).last(role));
  const fields = typeof value === "object" ? Object.values(value as object) : [];
  if (fields.length === 1 && typeof fields[0] === "string") return wellFormed(fields[0]);
  if (place === "inputs") return wellFormed(toText(value, place));
  throw invalidInput(
    `${place} is ${show(value)}; it has to be a text, messages, or an object with one text. In evaluate(), mapInputs ` +
      "selects the field with the text",
  );
}

function listOfClaims(claims: unknown, place: string): readonly string[] {
  if (isListOf(claims, (claim) => typeof claim === "string")) return (claims as string[]).map(wellFormed);
  throw invalidInput(`${place} is ${show(claims)}; it has to be a list of texts`);
}
