/** `evaluators`: lists the evaluators, or the options of one. */

import { didYouMean } from "../../../core/input/near.js";
import { visible } from "../../../core/terminal-text.js";
import { entry } from "../arguments/columns.js";
import { usageError } from "../cli-error.js";
import { addToJson } from "../output/json-result.js";
import { print } from "../output/streams.js";
import { keysOfScore } from "../score/evaluators.js";
import { JUDGED, JUDGED_TRAJECTORIES } from "../score/judged.js";
import { type Declared, declaredEvaluators, optionsOf } from "./declarations.js";
import type { EvaluatorsOptions } from "./options.js";

export async function evaluators(names: string[], _options: EvaluatorsOptions): Promise<number> {
  const [name, ...more] = names;
  if (more.length) throw usageError("evaluators takes one name");
  const all = await declaredEvaluators();
  return name === undefined ? listAll(all) : describe(name, all);
}

async function listAll(all: readonly Declared[]): Promise<number> {
  const keys = await keysOfScore();
  addToJson({
    keys,
    evaluators: all.map(({ name, from, about }) => ({ name, from, about: firstSentence(about) })),
  });
  const keysWhere = (needsModel: boolean) =>
    keys.flatMap(({ key, model }) => (model === needsModel ? [key] : [])).join(", ");
  const sections = [
    ...[
      "For score --evaluator:",
      "",
      ...entry("no model", keysWhere(false)),
      ...entry("--model", keysWhere(true)),
    ],
    ...[...new Set(all.map(({ from }) => from))].flatMap((entryPoint) => {
      const exported = all.filter(({ from }) => from === entryPoint);
      return [
        "",
        `${entryPoint}:`,
        "",
        ...exported.flatMap(({ name, about }) => entry(name, firstSentence(about))),
      ];
    }),
  ];
  print(`${sections.map(visible).join("\n")}\n`);
  return 0;
}

const firstSentence = (about: string): string => about.split(/(?<=\.) (?=[A-Z])/)[0] ?? "";

async function describe(name: string, all: readonly Declared[]): Promise<number> {
  const keys = (await keysOfScore()).map(({ key }) => key);
  const own = all.filter((one) => one.name === name);
  const found = own.length || !keys.includes(name) ? own : ofKey(name, all);
  const names = [...all.map((one) => one.name), ...keys];
  if (!found.length)
    throw usageError(
      `Unknown evaluator "${name}"; ${didYouMean(name, names, "evaluators without a name lists them")}`,
    );
  const described = await Promise.all(
    found.map(async (one) => {
      const { name, from, about, declaration } = one;
      return { name, from, about, declaration, options: await optionsOf(one) };
    }),
  );
  addToJson({ evaluators: described });
  const prompt = PROMPTS[name];
  if (!own.length && prompt)
    print(`${name} is a judge with this prompt:\n\nimport { ${prompt} } from "openevals-wasm";\n`);
  for (const { name, from, about, declaration, options } of described) {
    const lines = [
      `import { ${name} } from "${from}";`,
      "",
      about,
      "",
      ...declaration.split("\n"),
      "",
      ...options.flatMap((option) =>
        entry(option.name, `${option.about} (${option.type.replaceAll(/\s+/g, " ")})`),
      ),
    ];
    print(`${lines.map(visible).join("\n")}\n`);
  }
  return 0;
}

const PROMPTS: Readonly<Record<string, string>> = { ...JUDGED, ...JUDGED_TRAJECTORIES };

/** The evaluators with a key of `score`: those that document it, or else those with such a name. Prompts belong to judges. */
function ofKey(key: string, all: readonly Declared[]): Declared[] {
  if (Object.hasOwn(PROMPTS, key)) {
    const judge = Object.hasOwn(JUDGED_TRAJECTORIES, key) ? "createTrajectoryLLMAsJudge" : "createLLMAsJudge";
    return all.filter(({ name }) => name === judge);
  }
  const documented = all.filter(({ comment }) => hasKey(comment, key));
  if (documented.length) return documented;
  const name = lettersOf(key.replace(/:.*|_at_\d+$/, ""));
  return all.filter((one) => lettersOf(one.name.replace(/^create|Evaluator$/g, "")) === name);
}

/** Whether a documentation has the key, as in `{ key: "no_loops", score }`, also with a placeholder: `trajectory_<mode>_match`. */
const hasKey = (comment: string, key: string): boolean =>
  Array.from(comment.matchAll(/\bkey: "([\w:<>]+)"/g), ([, documented = ""]) => documented).some(
    (documented) => new RegExp(`^${documented.replaceAll(/<\w+>/g, "\\w+")}$`).test(key),
  );

const lettersOf = (name: string): string => name.toLowerCase().replaceAll(/[^a-z\d]/g, "");
