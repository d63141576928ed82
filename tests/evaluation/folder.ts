/** Temporary files of tests. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** A folder for the tests of a file or a `describe`, removed with them. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "evaluation-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  return folder;
}
