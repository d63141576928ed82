import { invalidConfig } from "../errors.js";

/**
 * Refuses an address where a file is expected, without repeating it: it may contain a password.
 *
 * @throws {@link OpenEvalsError} `invalid_config`
 */
export function checkIsLocal(path: string | URL): void {
  const [, scheme] = /^([a-z][a-z\d+.-]+):\/\//i.exec(String(path)) ?? [];
  if (scheme && scheme.toLowerCase() !== "file")
    throw invalidConfig(
      `An address (${scheme}://…) is not read. Download the file, or pass the body of a response as data: { stream: response.body, format: "jsonl" }`,
    );
}
