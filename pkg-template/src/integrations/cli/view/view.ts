/** `view`: shows an experiment in the browser while it runs, and takes labels of its rows. */

import "file:./evaluation.js";
import { checkDirections, readingOf } from "../arguments/reading-options.js";
import { usageError } from "../cli-error.js";
import { checkExists } from "../files.js";
import { addToJson, writeJson } from "../output/json-result.js";
import { checkOutputFiles } from "../output/output-files.js";
import { print } from "../output/streams.js";
import { say } from "../output/terminal.js";
import { openBrowser } from "./browser.js";
import { LabelFile } from "./labels.js";
import type { ViewOptions } from "./options.js";
import { serveViewed, Viewed } from "./viewed.js";

export async function view(paths: string[], options: ViewOptions): Promise<number> {
  const [path, ...more] = paths;
  if (path === undefined || more.length)
    throw usageError(
      "view needs one file: an experiment, or the file that a running experiment is written to",
    );
  await checkExists(path);
  const { label, prices } = options;
  if (label !== undefined)
    await checkOutputFiles([path], { prices }, [{ option: "--label", path: label, isProtected: true }]);
  const viewed = new Viewed(path, await readingOf(options));
  const { report } = await viewed.read();
  checkDirections(options, [report.experiment]);
  const labels = label === undefined ? undefined : await LabelFile.open(label);
  const { url, close } = await serveViewed(viewed, labels);
  print(`${url}\n`);
  addToJson({ url });
  // Written now, because callers need the address while the server runs.
  writeJson(0);
  say("Anyone with this address on this machine can read the experiment. Press Ctrl-C to stop.");
  if (options.open) openBrowser(url);
  await new Promise<void>((resolve) => process.once("SIGINT", resolve));
  close();
  return 0;
}
