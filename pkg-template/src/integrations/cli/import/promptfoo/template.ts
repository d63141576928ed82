/** Templates of promptfoo: Nunjucks, of which variables are read. */

const VARIABLE = /\{\{-?\s*([A-Za-z_][\w]*(?:\.[\w]+)*)\s*-?\}\}/g;

/** Whether a text has Nunjucks besides variables. */
export const hasLogic = (text: string): boolean => /\{\{|\{%|\{#/.test(text.replace(VARIABLE, ""));

/** Whether a text has variables of the environment, whose values are not for files. */
export const readsEnvironment = (text: string): boolean => /\{\{-?\s*env\./.test(text);

/** A text with the values of its variables; a missing one is empty, as in promptfoo, unless `kept`. */
export const rendered = (text: string, vars: Readonly<Record<string, unknown>>, kept = false): string =>
  text.replace(VARIABLE, (variable, path: string) => {
    let value: unknown = vars;
    for (const name of path.split("."))
      value =
        typeof value === "object" && value !== null && Object.hasOwn(value, name)
          ? (value as any)[name]
          : undefined;
    return value === undefined || value === null
      ? kept
        ? variable
        : ""
      : typeof value === "object"
        ? JSON.stringify(value)
        : String(value);
  });

/** The same as source code, for the prompts of the experiment. */
export const RENDER = `/** Replaces {{ variables }} by the fields of a row. */
const render = (template: string, vars: any): string =>
  template.replace(/\\{\\{-?\\s*([\\w.]+)\\s*-?\\}\\}/g, (_, path: string) => {
    const value = path.split(".").reduce((inner: any, name) => inner?.[name], vars);
    return typeof value === "object" ? JSON.stringify(value) : String(value ?? "");
  });
`;
