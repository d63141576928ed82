/** `evaluators`: lists the evaluators, or the options of one. */

import { didYouMean } from "../../../core/input/near.js";
import { visible } from "../../../core/terminal-text.js";
import { usageError } from "../cli-error.js";
import { entry } from "../columns.js";
import { addToJson } from "../json-result.js";
import { keysOfScore } from "../score/evaluators.js";
import { print } from "../streams.js";
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
  const found = all.filter((one) => one.name === name);
  const names = all.map((one) => one.name);
  if (!found.length)
    throw usageError(
      `Unknown evaluator "${name}"; ${didYouMean(name, names, "evaluators without a name lists them")}`,
    );
  const described = await Promise.all(
    found.map(async (one) => {
      const { from, about, declaration } = one;
      return { name, from, about, declaration, options: await optionsOf(one) };
    }),
  );
  addToJson({ evaluators: described });
  for (const { from, about, declaration, options } of described) {
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
