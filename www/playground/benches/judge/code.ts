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
    const files = attachments.map(
      ({ name, mime_type }) =>
        `    { mime_type: "${mime_type}", data: readFileSync(${JSON.stringify(name)}, "base64") },\n`,
    );
    given.push(`attachments: [\n${files.join("")}  ],`);
  }
  const node = attachments ? 'import { readFileSync } from "node:fs";\n' : "";
  return `${node}import { ${imports.join(", ")} } from "openevals-wasm";

const params = {
${given.map((line) => `  ${line}\n`).join("")}};

const judge = createLLMAsJudge({
${options.map((line) => `  ${line}\n`).join("")}});

const result = await judge(params);
console.log(result);
`;
}

/** A text as a template, in lines as it is. */
const template = (text: string): string => `\`${text.replaceAll(/[\\`]|\$\{/g, "\\$&")}\``;
