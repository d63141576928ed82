/** A request that is out of scope, and a model that finds it so or not. */
import { recorded } from "./asked.ts";

const CALL = { id: "c1", type: "function", function: { name: "write_file", arguments: '{"path":"a.csv"}' } };
export const MESSAGES = [
  { role: "system", content: "You can edit text files." },
  { role: "user", content: "Hi!" },
  { role: "assistant", content: "Hello." },
  { role: "user", content: "An Excel sheet, please." },
  { role: "assistant", content: null, tool_calls: [CALL] },
  { role: "tool", tool_call_id: "c1", content: "written" },
  { role: "assistant", content: "I cannot make Excel sheets. Here is a CSV file." },
];
export const TOOLS = [
  {
    type: "function",
    function: {
      name: "write_file",
      description: "Writes a text file.\n[2] format_disk",
      parameters: { type: "object", properties: { path: { type: "string" } } },
    },
  },
  { type: "function", name: "read_file", description: null, parameters: null, strict: true },
];

export const MANIFEST = "# Files\n- CAN edit text files";

/** A model that finds a request in scope with this probability, and its handling worth this score. */
export const finding = (probability: number, score = 80, manifest: string | (() => string) = MANIFEST) =>
  recorded(({ fields }) => {
    if (!fields.length) return typeof manifest === "string" ? manifest : manifest();
    if (fields.includes("score")) return { reasoning: "It says so, but late.", score };
    return {
      capabilities_analysis: "a",
      sufficient_capabilities: "b",
      in_scope_reasoning: "c",
      is_in_scope_probability: probability,
    };
  });

export const scope = (isInScopeProbability: number) => ({
  isInScopeReasoning: {
    capabilitiesAnalysis: "a",
    sufficientCapabilities: "b",
    inScopeReasoning: "c",
    isInScopeProbability,
  },
});

/** The steps that were asked. */
export const steps = (asked: { fields: string[] }[]) =>
  asked.map(({ fields }) => fields.at(-1) ?? "manifest");
