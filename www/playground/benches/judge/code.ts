/** The same in an application. */

import { literal } from "../../../shared/code.js";
import { readJson } from "../../../shared/json-text.js";
import type { ModelCode } from "../../models/picker.js";

export type ScoreKind = "boolean" | "continuous" | "choices" | "schema";

export interface Asked {
  prompt: string;
  isPrebuilt: boolean;
  kind: ScoreKind;
  choices: string;
  schema: string;
  params: Record<string, unknown>;
  model: ModelCode;
}

export function codeOf({ prompt, isPrebuilt, kind, choices, schema, params, model }: Asked): string {
  const imports = ["createLLMAsJudge", ...model.imports, ...(isPrebuilt ? [prompt] : [])].sort((a, b) =>
    a.localeCompare(b, "en"),
  );
  const kinds: Record<ScoreKind, string[]> = {
    boolean: [],
    continuous: ["continuous: true,"],
    choices: [`choices: [${choices}],`],
    schema: [`outputSchema: ${literal(readJson(schema).value ?? {}, 2)},`],
  };
  const options = [`prompt: ${isPrebuilt ? prompt : template(prompt)},`, model.option, ...kinds[kind]];
  const { attachments, ...texts } = params as { attachments?: { name: string; mime_type: string }[] };
  const given = Object.entries(texts).map(([name, value]) => `${name}: ${literal(value, 2)},`);
  if (attachments) {
    const files = attachments.map(({ mime_type }) => `{ mime_type: "${mime_type}", data: base64 }`);
    given.push(`attachments: [${files.join(", ")}],`);
  }
  const read = kind === "schema" ? "const verdict" : "const { score, comment, metadata }";
  return `import { ${imports.join(", ")} } from "openevals-wasm";

const judge = createLLMAsJudge({
${options.map((line) => `  ${line}\n`).join("")}});

${read} = await judge({
${given.map((line) => `  ${line}\n`).join("")}});
`;
}

/** A text as a template, in lines as it is. */
const template = (text: string): string => `\`${text.replaceAll(/[\\`]|\$\{/g, "\\$&")}\``;
