/** Reads runs of Mastra's agents, whose messages have their own form. */

/** What the scorer of an agent gets. */
export interface AgentRunOfMastra {
  input: { inputMessages: readonly any[] };
  output: readonly any[];
}

/** Whether it is a run of an agent. Those of workflows have their own data. */
export const isAgentRun = (run: { input?: any; output?: unknown }): run is AgentRunOfMastra =>
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
export const conversationOf = ({ input, output }: AgentRunOfMastra): ModelMessage[] =>
  [...input.inputMessages, ...output].flatMap(readMessage);

/** The text of the last message of a role; empty if it has none. */
export function lastTextOf(messages: readonly ModelMessage[], role: string): string {
  const { content } = messages.filter((message) => message.role === role).at(-1) ?? { content: "" };
  if (typeof content === "string") return content;
  return content.map(({ text = "" }) => text).join("");
}

/** The messages of one of Mastra: it has all steps of an answer, with their calls and results. */
function readMessage({ role, content, parts: own }: any): ModelMessage[] {
  const parts: any[] | undefined = content?.parts ?? own;
  if (!Array.isArray(parts)) return [{ role, content }];
  const messages: ModelMessage[] = [];
  let said: MastraPart[] = [];
  let results: MastraPart[] = [];
  const endStep = () => {
    if (said.length) messages.push({ role, content: said });
    if (results.length) messages.push({ role: "tool", content: results });
    said = [];
    results = [];
  };
  for (const { type, text, toolInvocation } of parts) {
    if (type === "step-start" || (type === "text" && results.length)) endStep();
    if (type === "text") said.push({ type, text });
    if (type !== "tool-invocation") continue;
    const { toolCallId, toolName, args } = toolInvocation;
    said.push({ type: "tool-call", toolCallId, toolName, input: args });
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
