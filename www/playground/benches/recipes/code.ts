/** The same evaluations in an application. */

import type { EvaluationName } from "openevals-wasm/recipes";
import { literal } from "../../../shared/code.js";
import type { ModelCode } from "../../models/picker.js";

export interface Evaluated {
  evaluations: readonly EvaluationName[];
  messages: unknown;
  tools: unknown;
  criteria: readonly string[];
  /** Missing for recorded answers. */
  model: ModelCode | undefined;
}

const USUAL_MODEL: ModelCode = { imports: [], option: 'model: "openai:gpt-5.4",' };

export function codeOf({ evaluations, messages, tools, criteria, model = USUAL_MODEL }: Evaluated): string {
  const option = model.option.replace(/^judge:/, "model:").replace(/,$/, "");
  const configs = evaluations.map((name) => {
    const own = name === "check_criteria" ? `criteria: ${literal(criteria, 4)}, ` : "";
    const manifest = name === "guidance" ? manifestCode(messages) : "";
    return `    ${name}: { ${own}${manifest}${option} },\n`;
  });
  const main = model.imports.length ? `import { ${model.imports.join(", ")} } from "openevals-wasm";\n` : "";
  return `${main}import { evaluate } from "openevals-wasm/recipes";

const messages = ${literal(messages)};

const tools = ${literal(tools)};

const results = await evaluate({
  messages,
  tools,
  evaluations: ${literal(evaluations, 2)},
  evaluationConfigs: {
${configs.join("")}  },
  maxConcurrency: ${Math.max(1, evaluations.length)},
});
for (const { evalName, applicable, score, feedback } of results)
  console.log(evalName, applicable ? score : "not applicable", feedback);
`;
}

/** What the assistant can do is what its system message says. */
export const isSystem = (message: any): boolean =>
  (message?.role === "system" || message?.role === "developer") && typeof message.content === "string";

function manifestCode(messages: unknown): string {
  const place = Array.isArray(messages) ? messages.findIndex(isSystem) : -1;
  return place < 0 ? "" : `capabilityManifest: messages[${place}].content, `;
}
