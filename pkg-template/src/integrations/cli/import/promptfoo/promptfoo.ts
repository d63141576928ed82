/** Imports configs of promptfoo. */

import { isRecord } from "../../../../core/input/objects.js";
import { usageError } from "../../cli-error.js";
import type { Imported, ImportSource } from "../imported.js";
import { Assertions } from "./assertions.js";
import { experimentFile } from "./experiment-file.js";
import { Functions } from "./functions.js";
import { Judge } from "./judge.js";
import { readModels } from "./models.js";
import { readPrompts } from "./prompts.js";
import { readTests } from "./tests.js";

/** Fields that do not change scores. */
const IGNORED = [
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
const SUPPORTED = ["prompts", "providers", "targets", "tests", "defaultTest", "assertionTemplates"];

export async function importPromptfoo({ path, content, findings }: ImportSource): Promise<Imported> {
  if (!isRecord(content)) throw usageError(`${path} is not a config of promptfoo; it has to be an object`);
  for (const name of Object.keys(content))
    if (!SUPPORTED.includes(name) && !IGNORED.includes(name))
      findings.skip(name, "it is not supported. Change the experiment instead");
  const { targets, providers = targets } = content;
  const place = content.providers === undefined ? "targets" : "providers";
  const models = await readModels(providers, place, path, findings);
  const functions = new Functions(findings);
  const judge = new Judge();
  const assertions = new Assertions(path, findings, functions, judge, content.assertionTemplates);
  const rows = await readTests(content, { path, assertions, functions, judge, findings });
  const hasPrompts =
    content.prompts !== undefined || !rows.some(({ inputs }) => Object.hasOwn(inputs, "prompt"));
  const prompts = await readPrompts(hasPrompts ? content.prompts : "{{prompt}}", path, findings);
  const types = [...assertions.types].sort();
  const repetitions = repetitionsOf(content);
  const parts = {
    path,
    prompts,
    models,
    judge: judge.model,
    types,
    functions: functions.bodies,
    repetitions,
  };
  return { rows, code: (dataFile) => experimentFile({ ...parts, dataFile }) };
}

/** How often each test is run. */
function repetitionsOf({ evaluateOptions, commandLineOptions }: Record<string, unknown>): number {
  const given = [commandLineOptions, evaluateOptions].map((options) =>
    isRecord(options) ? options.repeat : undefined,
  );
  return (
    (given.find(
      (repeat) => typeof repeat === "number" && Number.isInteger(repeat) && repeat > 1,
    ) as number) ?? 1
  );
}
