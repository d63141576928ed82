/** Inserts the runs of tools, which have their own spans, into the messages of models. */

import { sortedJson } from "../../../core/input/sorted-json.js";
import type { ToolRun } from "./forms/form.js";
import { resultText, type TraceMessage, toolCall } from "./message.js";
import type { Span } from "./span.js";
import { structured } from "./span.js";
import type { SeenMessage } from "./threads.js";

/** A run with its span. */
export interface RunOfTool {
  span: Span;
  tool: ToolRun;
}

interface SpanToolCall {
  id: string | undefined;
  name: string;
  args: string;
  /** The message with the call, and its thread. */
  caller: SeenMessage;
  thread: SeenMessage[];
  result: SeenMessage | undefined;
  isMatched: boolean;
}

/** Adds results that are in no message, and calls that no model made, for example in a workflow. */
export function addRuns(threads: SeenMessage[][], runs: readonly RunOfTool[]): void {
  const calls = callsIn(threads);
  const byId = new Map<string | undefined, SpanToolCall[]>();
  const byArgs = new Map<string, SpanToolCall[]>();
  for (const call of calls) {
    const key = `${call.name}\0${call.args}`;
    const same = byArgs.get(key);
    if (same) same.push(call);
    else byArgs.set(key, [call]);
    const sameId = byId.get(call.id);
    if (sameId) sameId.push(call);
    else byId.set(call.id, [call]);
  }
  for (const { span, tool } of runs) {
    const key = `${tool.name}\0${sortedJson(structured(tool.args ?? {}))}`;
    const withId = (tool.id !== undefined && byId.get(tool.id)) || [];
    // Some models number the calls of each answer from 0.
    const sameId = withId.filter(({ caller }) => caller.time <= span.start).at(-1) ?? withId[0];
    const call = sameId ?? byArgs.get(key)?.find(({ isMatched }) => !isMatched);
    if (call) {
      call.isMatched = true;
      if (!call.result && (tool.result !== undefined || span.error))
        insertResult(call, resultOf(span, tool, call.id));
      continue;
    }
    insertRun(threads, span, tool);
  }
}

/** All calls with their results, which are matched by id, or by position without ids. */
function callsIn(threads: SeenMessage[][]): SpanToolCall[] {
  return threads.flatMap((thread) => {
    const results = resultsById(thread);
    return thread.flatMap((caller, index) =>
      (caller.message.tool_calls ?? []).map((call, callIndex): SpanToolCall => {
        const resultById = call.id === undefined ? undefined : results.get(caller)?.get(call.id);
        const result = resultById ?? resultWithoutId(thread, index, callIndex);
        if (result && !resultById && call.id !== undefined)
          result.message = { ...result.message, tool_call_id: call.id };
        const args = sortedJson(structured(call.function.arguments));
        return { id: call.id, name: call.function.name, args, caller, thread, result, isMatched: false };
      }),
    );
  });
}

/** The results of the calls of each message: each result answers the latest call with its id. */
function resultsById(thread: readonly SeenMessage[]): Map<SeenMessage, Map<string, SeenMessage>> {
  const callers = new Map<string, Map<string, SeenMessage>>();
  const results = new Map<SeenMessage, Map<string, SeenMessage>>();
  for (const seen of thread) {
    const { tool_calls: calls = [], tool_call_id: id } = seen.message;
    if (id !== undefined) callers.get(id)?.set(id, seen);
    if (!calls.length) continue;
    const own = new Map<string, SeenMessage>();
    results.set(seen, own);
    for (const call of calls) if (call.id !== undefined) callers.set(call.id, own);
  }
  return results;
}

/** The result of a call by its position after the message. */
function resultWithoutId(
  thread: readonly SeenMessage[],
  index: number,
  callIndex: number,
): SeenMessage | undefined {
  const between = thread.slice(index + 1, index + 2 + callIndex);
  const areResults = between.length > callIndex && between.every(({ message }) => message.role === "tool");
  const result = areResults ? between[callIndex] : undefined;
  return result?.message.tool_call_id === undefined ? result : undefined;
}

function resultOf(span: Span, tool: ToolRun, id: string | undefined): SeenMessage {
  const content = tool.result === undefined ? (span.error ?? "") : resultText(tool.result);
  return {
    message: { role: "tool", content, ...(id && { tool_call_id: id }) },
    time: span.end,
  };
}

/** Inserts a result after its call and after the results of the calls before it. */
function insertResult(call: SpanToolCall, result: SeenMessage): void {
  let at = call.thread.indexOf(call.caller) + 1;
  while (call.thread[at]?.message.role === "tool") at++;
  call.result = result;
  call.thread.splice(at, 0, result);
}

/** Inserts a run without a call by its time, into the last thread that began before it. */
function insertRun(threads: SeenMessage[][], span: Span, tool: ToolRun): void {
  const message: TraceMessage = {
    role: "assistant",
    content: "",
    tool_calls: [toolCall(tool.id, tool.name, tool.args)],
  };
  const inserted = [{ message, time: span.start }];
  if (tool.result !== undefined || span.error) inserted.push(resultOf(span, tool, tool.id));
  const thread = threads.filter(([begin]) => begin && begin.time <= span.start).at(-1) ?? threads[0];
  if (!thread) {
    threads.push(inserted);
    return;
  }
  let at = thread.findIndex(({ time }) => time > span.start);
  if (at === -1) at = thread.length;
  while (thread[at]?.message.role === "tool") at++;
  thread.splice(at, 0, ...inserted);
}
