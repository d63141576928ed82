/** Imports configs of promptfoo. */

import { wrong } from "../../mistake.js";
import { type Imported, type ImportSource, isObject } from "../imported.js";
import { Assertions } from "./assertions.js";
import { experimentFile } from "./experiment-file.js";
import { readModels } from "./models.js";
import { readPrompts } from "./prompts.js";
import { readTests } from "./tests.js";

/** Fields that change nothing that is measured. */
const PRESENTATION = [
  ...[
    "description",
    "$schema",
    "outputPath",
    "sharing",
    "evaluateOptions",
    "commandLineOptions",
    "writeLatestResults",
  ],
  ...["tags", "metadata", "env"],
];
const READ = ["prompts", "providers", "targets", "tests", "defaultTest", "assertionTemplates"];

export async function importPromptfoo({ path, content, findings }: ImportSource): Promise<Imported> {
  if (!isObject(content)) throw wrong(`${path} is not a config of promptfoo; it has to be an object`);
  for (const name of Object.keys(content))
    if (!READ.includes(name) && !PRESENTATION.includes(name))
      findings.leave(name, "it is not supported. Change the experiment instead");
  const { targets, providers = targets } = content;
  const models = readModels(providers, content.providers === undefined ? "targets" : "providers", findings);
  const prompts = await readPrompts(content.prompts, path, findings);
  const assertions = new Assertions(findings, content.assertionTemplates);
  const rows = await readTests(content, path, { assertions, findings });
  const types = [...assertions.types].sort();
  return { rows, code: (dataFile) => experimentFile({ path, dataFile, prompts, models, types }) };
}
