/**
 * Bundles the pages of reports, comparative reports and their index: a script for each, a shared style, and
 * content security policies that allow only these.
 */

import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { root } from "../run.mjs";

/** Writes `page-style.ts`, and the script and policy of each page, next to the sources of the report. */
export async function bundleReportPages(sources) {
  const { build } = await import("esbuild");
  const folder = `${sources}/presentation/report`;
  const { outputFiles } = await build({
    entryPoints: [...PAGES.map((name) => `${name}-page.ts`), "page.css", "labelling.css"].map(
      (name) => `${folder}/page/${name}`,
    ),
    absWorkingDir: root,
    outdir: "page",
    bundle: true,
    minify: true,
    format: "iife",
    target: ["es2022", "chrome120", "firefox120", "safari17"],
    platform: "browser",
    write: false,
  });
  const text = (name) => outputFiles.find(({ path }) => path.endsWith(name)).text.trim();
  const hash = (content) => `'sha256-${createHash("sha256").update(content).digest("base64")}'`;
  const writeModule = (name, constants) => {
    const lines = Object.entries(constants).map(
      ([constant, content]) => `export const ${constant} = ${JSON.stringify(content)};\n`,
    );
    writeFileSync(`${folder}/${name}.ts`, lines.join(""));
  };
  const style = text("page.css");
  writeModule("page-style", { style });
  for (const name of PAGES) {
    const script = text(`${name}-page.js`);
    // The served page may send requests to its origin, and has an additional style.
    const isServed = name === "view";
    const more = isServed ? text("labelling.css") : undefined;
    const policy = [
      "default-src 'none'",
      `script-src ${hash(script)}`,
      `style-src ${[style, more].filter(Boolean).map(hash).join(" ")}`,
      ...(isServed ? ["connect-src 'self'"] : []),
      "img-src data:",
      "base-uri 'none'",
      "form-action 'none'",
    ].join("; ");
    writeModule(`${name}-files`, { script, policy, ...(more && { more }) });
  }
}

const PAGES = ["report", "comparative", "index", "view"];
