/** `--json`: the result of a call as one line of JSON, whose fields `result-schemas.ts` describes. */

/** The fields so far; `undefined` without `--json`. */
let fields: Record<string, unknown> | undefined;
const messages: string[] = [];

/** Writes to standard output. With `--json`, `process.stdout.write` leads to standard error. */
export const writeOutput = process.stdout.write.bind(process.stdout);

/** Whether the result is written as JSON, so that standard output has nothing else. */
export const isJson = (): boolean => fields !== undefined;

/** Starts a result. */
export function startJson(): void {
  fields = {};
  // What user code prints must not mix with the result.
  process.stdout.write = process.stderr.write.bind(process.stderr);
}

export const addToJson = (more: Record<string, unknown>): void => void Object.assign(fields ?? {}, more);

/** Adds a message, which is also on standard error. */
export const noteMessage = (message: string): void => void messages.push(message);

/** Adds a value to a list. */
export function listInJson(field: string, value: unknown): void {
  const list = (fields?.[field] as unknown[] | undefined) ?? [];
  addToJson({ [field]: [...list, value] });
}

/** Adds the path of a file that was written. */
export const noteWritten = (path: string): void => listInJson("written", path);

/** Writes the result, once. */
export function writeJson(exitCode: number): void {
  if (!fields) return;
  const { command = null, ...rest } = fields;
  fields = undefined;
  writeOutput(`${JSON.stringify({ command, exitCode, messages, ...rest })}\n`);
}
