/** `npm run pictures` makes the README's pictures from a real run: a terminal, and a report in Chromium. */

import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { build } from "./build.mjs";
import { terminalPicture } from "./pictures/terminal.mjs";
import { main, path, run } from "./run.mjs";
import { findChromium, installPackages } from "./setup.mjs";

const work = path("target/pictures");
const COMMAND = "npx openevals-wasm run evals/tickets.eval.mjs --output now";

/** Runs the program on the experiment, and returns what it prints. */
function evals(args, env = {}) {
  const program = path("pkg/dist/cli.cjs");
  return run("node", [program, ...args], { cwd: work, env: { FORCE_COLOR: "1", ...env }, quiet: true });
}

async function screenshot(file, to) {
  await installPackages("tests", "the test tools");
  const { chromium } = createRequire(path("tests/package.json"))("playwright-core");
  const browser = await chromium.launch({ executablePath: findChromium(), args: ["--no-sandbox"] });
  try {
    const viewport = { width: 1120, height: 720 };
    const page = await browser.newPage({ viewport, deviceScaleFactor: 1.5, colorScheme: "light" });
    await page.goto(pathToFileURL(file).href);
    await page.screenshot({ path: to });
  } finally {
    await browser.close();
  }
}

await main(import.meta.url, async () => {
  await build();
  rmSync(work, { recursive: true, force: true });
  mkdirSync(`${work}/node_modules`, { recursive: true });
  symlinkSync(path("pkg"), `${work}/node_modules/openevals-wasm`, "junction");
  cpSync(path("xtask/pictures/evals"), `${work}/evals`, { recursive: true });
  const [, , ...args] = COMMAND.split(" ");
  evals(["run", "evals/tickets.eval.mjs", "--output", "before"], { RULES: "before" });
  const printed = evals(args);
  writeFileSync(path("www/pictures/terminal.svg"), terminalPicture(COMMAND, printed));
  evals(["report", "before/tickets.json", "now/tickets.json", "--report", "report.html"]);
  await screenshot(`${work}/report.html`, path("www/pictures/report.png"));
});
