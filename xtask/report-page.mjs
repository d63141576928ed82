/** The page of the report as a module: its script in one piece, its style, and the policy that lets just these in. */

import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { root } from "./run.mjs";

/** Writes `page-files.ts` beside the sources of the report. */
export async function bundleReportPage(sources) {
  const { build } = await import("esbuild");
  const folder = `${sources}/presentation/report`;
  const { outputFiles } = await build({
    entryPoints: [`${folder}/page/main.ts`, `${folder}/page/page.css`],
    absWorkingDir: root,
    outdir: "page",
    bundle: true,
    minify: true,
    format: "iife",
    target: ["es2022", "chrome120", "firefox120", "safari17"],
    platform: "browser",
    write: false,
  });
  const text = (kind) => outputFiles.find(({ path }) => path.endsWith(kind)).text.trim();
  const files = { script: text(".js"), style: text(".css") };
  const hash = (content) => `'sha256-${createHash("sha256").update(content).digest("base64")}'`;
  const policy = [
    "default-src 'none'",
    `script-src ${hash(files.script)}`,
    `style-src ${hash(files.style)}`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  const lines = Object.entries({ ...files, policy }).map(
    ([name, content]) => `export const ${name} = ${JSON.stringify(content)};\n`,
  );
  writeFileSync(`${folder}/page-files.ts`, lines.join(""));
}
