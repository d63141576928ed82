/** What was pasted: messages in any form that the package reads, or what a graph of LangGraph left. */

import {
  createTrajectoryMatchEvaluator,
  extractLangGraphTrajectoryFromSnapshots,
  type GraphTrajectory,
  type TrajectoryF1Metadata,
} from "openevals-wasm";

/** A call of a tool. */
export interface Call {
  /** The index of the message that it stands in. */
  message: number;
  name: string;
  /** A value, or JSON text. */
  args: unknown;
}

export interface Message {
  role: string;
  text: string;
  calls: Call[];
}

export type Pasted =
  | { kind: "messages"; value: readonly object[]; messages: Message[] }
  | { kind: "graph"; value: GraphTrajectory };

/** Reads a pasted value; throws for what is none of these. */
export async function readPasted(value: unknown): Promise<Pasted> {
  if (isGraph(value)) return { kind: "graph", value };
  if (Array.isArray(value) && value.length && value.every(isSnapshot))
    return { kind: "graph", value: extractLangGraphTrajectoryFromSnapshots(value).outputs };
  const list = listOf(value).map(unpacked);
  const calls = await callsOf(list);
  const messages = list.map((message, index) => ({
    role: roleOf(message),
    text: textOf(message),
    calls: calls.filter((call) => call.message === index),
  }));
  return { kind: "messages", value: list, messages };
}

type Json = Record<string, any>;

const isGraph = (value: any): value is GraphTrajectory => Array.isArray(value?.steps);

/** A state of a thread, one of a history. */
const isSnapshot = (value: any): boolean =>
  typeof value === "object" && value !== null && "values" in value && ("next" in value || "tasks" in value);

function listOf(value: any): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return value?.messages ?? value?.values?.messages ?? [value];
}

/** A message as LangChain writes it to JSON or keeps it in stores, as the plain object that it stands for. */
function unpacked(message: any): object {
  if (message?.lc && message.kwargs) {
    const kind = String(message.id?.at(-1) ?? "");
    return { type: kind.replace(/Message(Chunk)?$/, "").toLowerCase(), ...message.kwargs };
  }
  if (typeof message?.type === "string" && typeof message.data === "object" && message.data !== null)
    return { type: message.type, ...message.data };
  return message;
}

const everyCall = createTrajectoryMatchEvaluator({ trajectoryMatchMode: "unordered", scoring: "f1" });

/** All calls, in any form: with an empty reference, every call is unmatched. */
async function callsOf(messages: readonly object[]): Promise<Call[]> {
  const { metadata } = await everyCall({ outputs: messages as never, referenceOutputs: [] });
  const { unmatchedOutputs } = metadata as unknown as TrajectoryF1Metadata;
  return unmatchedOutputs.map(({ message, name, args }) => ({ message, name: String(name), args }));
}

const ROLES: Record<string, string> = { human: "user", ai: "assistant", function_call: "assistant" };

function roleOf({ role, type }: Json): string {
  const named = String(role ?? type ?? "message");
  return ROLES[named] ?? (named.endsWith("_output") ? "tool" : named);
}

function textOf(message: Json): string {
  const { content, output } = message;
  const said = content ?? output ?? "";
  if (typeof said === "string") return said;
  if (!Array.isArray(said)) return JSON.stringify(said);
  return said.flatMap((part) => (typeof part === "string" ? part : (part?.text ?? []))).join("\n");
}
