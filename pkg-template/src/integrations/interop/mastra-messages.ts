/** Reads runs of Mastra's agents, whose messages have their own form. */

/** The run of an agent, as Mastra passes it to a scorer. */
export interface MastraAgentRun {
  input: { inputMessages: readonly any[] };
  output: readonly any[];
}

/** Whether a run is one of an agent. Runs of workflows have other inputs and outputs. */
export const isAgentRun = (run: { input?: any; output?: unknown }): run is MastraAgentRun =>
  Array.isArray(run.input?.inputMessages) && Array.isArray(run.output);

/** A message in the form of the AI SDK. */
interface ModelMessage {
  role: string;
  content: string | MastraPart[];
}

interface MastraPart {
  type: string;
  text?: string;
  [field: string]: unknown;
}

/** The conversation of a run. */
export const conversationOf = ({ input, output }: MastraAgentRun): ModelMessage[] =>
  [...input.inputMessages, ...output].flatMap(readMessage);

/** The text of the last message of a role; empty if it has none. */
export function lastTextOf(messages: readonly ModelMessage[], role: string): string {
  const { content } = messages.filter((message) => message.role === role).at(-1) ?? { content: "" };
  if (typeof content === "string") return content;
  return content.map(({ text = "" }) => text).join("");
}

/** Splits a message of Mastra, which has all steps of an answer with their calls and results. */
function readMessage({ role, content, parts: ownParts }: any): ModelMessage[] {
  const parts: any[] | undefined = content?.parts ?? ownParts;
  if (!Array.isArray(parts)) return [{ role, content }];
  const messages: ModelMessage[] = [];
  let answer: MastraPart[] = [];
  let results: MastraPart[] = [];
  const endStep = () => {
    if (answer.length) messages.push({ role, content: answer });
    if (results.length) messages.push({ role: "tool", content: results });
    answer = [];
    results = [];
  };
  for (const { type, text, toolInvocation } of parts) {
    if (type === "step-start" || (type === "text" && results.length)) endStep();
    if (type === "text") answer.push({ type, text });
    if (type !== "tool-invocation") continue;
    const { toolCallId, toolName, args } = toolInvocation;
    answer.push({ type: "tool-call", toolCallId, toolName, input: args });
    const output = resultOf(toolInvocation);
    if (output) results.push({ type: "tool-result", toolCallId, toolName, output });
  }
  endStep();
  return messages;
}

function resultOf({ state, result, errorText }: any): object | undefined {
  if (state === "output-error") return { type: "error-text", value: errorText };
  if (state !== "result") return undefined;
  return { type: typeof result === "string" ? "text" : "json", value: result };
}
