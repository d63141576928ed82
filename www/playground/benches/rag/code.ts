/** The same evaluation in an application. */

import { literal } from "../../../shared/code.js";
import type { ModelCode } from "../../models/picker.js";

/** A type, because an interface is not assignable to parameters with other fields. */
export type RagFields = {
  inputs: string;
  outputs: string;
  context: string[];
  referenceOutputs?: string;
};

const USUAL_MODEL: ModelCode = { imports: [], option: 'model: "openai:gpt-5.4",' };

/** @param model Missing for recorded answers. */
export function codeOf(row: RagFields, { imports, option }: ModelCode = USUAL_MODEL): string {
  const main = imports.length ? `import { ${imports.join(", ")} } from "openevals-wasm";\n` : "";
  return `${main}import { ragSuite } from "openevals-wasm/rag";

const suite = ragSuite({ ${option.replace(/,$/, "")} });
const results = await suite(${literal(row)});
for (const { key, score, comment } of results) console.log(key, score, comment);
`;
}
