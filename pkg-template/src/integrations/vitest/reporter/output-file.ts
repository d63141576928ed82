import { invalidConfig } from "../../../core/errors.js";
import { builtin } from "../../../core/platform/builtin.js";
import { NO_FILES } from "./last-run.js";

/** The beginning of the file of an earlier run. */
const OWN = /^\[(?:\]\s*$|\{"name":"(?:[^"\\]|\\.)*","file":"(?:[^"\\]|\\.)*","experiment":\{)/;

/**
 * Rejects an `outputFile` that another program wrote, before the tests start.
 *
 * @param root The folder that the path is relative to.
 * @throws {@link OpenEvalsError} `invalid_config`
 */
export async function checkOutputFile(root: string, outputFile: string): Promise<void> {
  const { readFile, stat } = builtin("node:fs/promises", NO_FILES);
  const path = builtin("node:path", NO_FILES).resolve(root, outputFile);
  const found = await stat(path).catch(() => undefined);
  // Devices and pipes store nothing that could be lost.
  if (!found?.isFile() || found.size === 0) return;
  if (OWN.test(await readFile(path, "utf8").catch(() => ""))) return;
  throw invalidConfig(
    `outputFile ${path} was not written by the reporter of openevals-wasm, so it is not replaced. Delete it, or name another file`,
  );
}
