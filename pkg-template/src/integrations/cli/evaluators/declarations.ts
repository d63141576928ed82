/** Reads the evaluators of the package and their options from the declarations (`.d.ts`), as the reference does. */

import { readFile } from "node:fs/promises";
import { posix } from "node:path";

/** An evaluator, or a function that makes one. */
export interface Declared {
  name: string;
  /** Its entry point, such as `openevals-wasm/checks`. */
  from: string;
  about: string;
  /** Its documentation, as in the declarations. */
  comment: string;
  /** The module that declares it, and its declaration without documentation. */
  module: string;
  declaration: string;
}

export interface DeclaredOption {
  name: string;
  type: string;
  about: string;
}

/** The folder of the package. */
const PACKAGE = new URL("../", import.meta.url);

/** Matches the documentation of functions that return an evaluator. */
const RETURNS = /@returns (?:An? (?:summary )?evaluator\b|A (?:check|judge)\b|`\{ key)/i;

/** Entry points whose evaluators belong to other tools or to other entry points. */
const EXCLUDED = /^\.\/(interop|harness|vitest|otel|bullmq|slim|single|llm|types|utils|prompts)\b/;

/** All evaluators, in the order of the entry points. */
export async function declaredEvaluators(): Promise<Declared[]> {
  const { name, exports } = JSON.parse(await readFile(new URL("package.json", PACKAGE), "utf8"));
  const entries = Object.entries<{ default?: { types?: string } }>(exports).flatMap(
    ([entry, { default: { types } = {} }]) => (types && !EXCLUDED.test(entry) ? [{ entry, types }] : []),
  );
  const found = await Promise.all(
    entries.map(async ({ entry, types }) => {
      const module = types.replace(/^\.\/dist\/|\.d\.ts$/g, "");
      return (await exportsOf(module)).flatMap((exported) =>
        isEvaluator(exported)
          ? [{ ...exported, about: summaryOf(exported.comment), from: posix.join(name, entry) }]
          : [],
      );
    }),
  );
  return found.flat();
}

const isEvaluator = ({ comment, declaration }: Export): boolean =>
  RETURNS.test(comment) || /^class \w+Evaluator\b/.test(declaration);

/** The options in the declaration of an evaluator, with those that they extend. */
export async function optionsOf({ module, declaration }: Declared): Promise<DeclaredOption[]> {
  const seen = new Set<string>();
  const options = new Map<string, DeclaredOption>();
  const add = async (module: string, type: string): Promise<void> => {
    if (seen.has(type)) return;
    seen.add(type);
    const found = await declarationOf(module, type);
    if (!found) return;
    for (const option of membersOf(found.text))
      if (!options.has(option.name)) options.set(option.name, option);
    for (const next of namesIn(found.extended)) await add(found.module, next);
  };
  for (const type of namesIn(declaration)) await add(module, type);
  return [...options.values()];
}

/** The names of option types in a declaration. */
const namesIn = (declaration: string): string[] =>
  Array.from(declaration.matchAll(/\b[A-Z]\w*(?:Options|Config|Rules)\b/g), ([name]) => name);

interface Export {
  name: string;
  module: string;
  comment: string;
  declaration: string;
}

/** The values that a module exports, including those of other modules. */
async function exportsOf(module: string): Promise<Export[]> {
  const text = await textOf(module);
  const found: Export[] = [];
  for (const [, names = "", from = ""] of text.matchAll(/^export \{([^}]*)\} from "(\.[^"]+)\.js";$/gm)) {
    const wanted = names.split(",").map((name) => name.trim());
    const exported = await exportsOf(posix.join(posix.dirname(module), from));
    for (const one of exported) if (wanted.includes(one.name)) found.push(one);
  }
  for (const [, comment = "", declaration = "", name = ""] of text.matchAll(DECLARATION)) {
    // The first overload has the documentation.
    if (!found.some((one) => one.name === name)) found.push({ name, module, comment, declaration });
  }
  return found;
}

const COMMENT = "(?:/\\*\\*((?:(?!\\*/)[\\s\\S])*)\\*/\\n)?";
/** A declaration ends with a line that is not indented. */
const DECLARATION = new RegExp(
  `^${COMMENT}export declare ((?:function|const|class) (\\w+)\\b.*(?:\\n(?: .*|\\}.*))*)`,
  "gm",
);

/** The declaration of a type: the types that it extends, and its members, as text. */
interface TypeDeclaration {
  module: string;
  extended: string;
  text: string;
}

/** Finds the declaration of a type that a module declares or imports. */
async function declarationOf(module: string, type: string): Promise<TypeDeclaration | undefined> {
  const text = await textOf(module);
  const match = new RegExp(`^export (?:interface|type) ${type}\\b([^{]*)\\{\\n((?: .*\\n)*)`, "m").exec(text);
  if (match) return { module, extended: match[1] ?? "", text: match[2] ?? "" };
  const from = new RegExp(`^import .*\\b${type}\\b.* from "(\\.[^"]+)\\.js";$`, "m").exec(text)?.[1];
  return from === undefined ? undefined : declarationOf(posix.join(posix.dirname(module), from), type);
}

/** The members of an interface, which are indented by four spaces. */
const membersOf = (text: string): DeclaredOption[] =>
  Array.from(
    text.matchAll(
      /^ {4}(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n {4})?(?:readonly )?(\w+)(\??)(?:: |(?=\())(.*(?:\n {5,}.*|\n {4}\}.*)*)/gm,
    ),
    ([, comment = "", name = "", optional, type = ""]) => ({
      name: `${name}${optional}`,
      type: type.replace(/;$/, "").replace(/ \| undefined$/, ""),
      about: summaryOf(comment),
    }),
  );

/** The first paragraph of a comment as plain text. */
const summaryOf = (comment: string): string =>
  (
    comment
      .replaceAll(/^ *\* ?/gm, "")
      .trim()
      .split(/\n\n|\n@/)[0] ?? ""
  )
    .replaceAll(/\{@link (\w+)[^}]*\}/g, "`$1`")
    .replaceAll(/\s+/g, " ")
    .trim();

const texts = new Map<string, Promise<string>>();

/** The text of a module's declarations; empty if they are not in the package. */
function textOf(module: string): Promise<string> {
  const file = new URL(`dist/${module}.d.ts`, PACKAGE);
  const text = texts.get(module) ?? readFile(file, "utf8").catch(() => "");
  texts.set(module, text);
  return text;
}
