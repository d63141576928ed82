/** Templates of promptfoo. Of their language, Nunjucks, only variables are supported. */

export type Vars = Readonly<Record<string, unknown>>;

const VARIABLE = /\{\{-?\s*([A-Za-z_][\w]*(?:\.[\w]+)*)\s*-?\}\}/g;

/** Whether a text has Nunjucks syntax other than variables. */
export const hasLogic = (text: string): boolean => /\{\{|\{%|\{#/.test(text.replace(VARIABLE, ""));

/** Whether a value contains a text with Nunjucks syntax. */
export const hasTemplate = (value: unknown): boolean => /\{\{|\{%|\{#/.test(texts(value).join("\n"));

/** Whether a text reads environment variables: their values may be secrets, so they are not written to files. */
export const readsEnvironment = (text: string): boolean => /\{\{-?\s*env\./.test(text);

/** The texts of a value, at any depth. */
export const texts = (value: unknown): string[] =>
  typeof value === "string"
    ? [value]
    : typeof value === "object" && value !== null
      ? Object.values(value).flatMap(texts)
      : [];

/** The most characters of the texts of a row. */
export const MAX_CHARACTERS = 50_000_000;

/** The approximate length of texts after {@link rendered}, in characters. Stops counting beyond the limit. */
export function renderedLength(list: readonly string[], vars: Vars): number {
  let length = 0;
  for (const text of list) {
    length += text.length;
    for (const [, path = ""] of text.matchAll(VARIABLE)) {
      if (length > MAX_CHARACTERS) return length;
      length += String(valueAt(path, vars) ?? "").length;
    }
  }
  return length;
}

/** A text with the values of its variables. Missing ones are empty, as in promptfoo, or stay with `keepMissing`. */
export const rendered = (text: string, vars: Vars, keepMissing = false): string =>
  text.replace(VARIABLE, (variable, path: string) => {
    const value = valueAt(path, vars);
    return value === undefined || value === null ? (keepMissing ? variable : "") : String(value);
  });

/** The value of a variable such as `user.name`. */
function valueAt(path: string, vars: Vars): unknown {
  let value: unknown = vars;
  for (const name of path.split("."))
    value =
      typeof value === "object" && value !== null && Object.hasOwn(value, name)
        ? (value as any)[name]
        : undefined;
  return value;
}

/** {@link rendered} as source code, for the prompts of the experiment. */
export const RENDER = `/** Replaces {{ variables }} by the fields of a row. */
const render = (template: string, vars: any): string =>
  template.replace(/\\{\\{-?\\s*([\\w.]+)\\s*-?\\}\\}/g, (_, path: string) =>
    String(path.split(".").reduce((inner: any, name) => inner?.[name], vars) ?? ""),
  );
`;
