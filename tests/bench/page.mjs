/**
 * One visit of a page in Chromium at 10 Mbit/s: `page.mjs <case> time|bytes`. Prints how many milliseconds after the start of the
 * navigation the first score is there, or how many bytes came over the network, all compressed by gzip.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import * as esbuild from "esbuild";
import { chromium } from "playwright-core";
import { findChromium } from "../../xtask/setup.mjs";

const SCORE = {
  levenshteinDistance: `import { levenshteinDistance } from "openevals-wasm";
    const first = () => levenshteinDistance({ outputs: "kitten", referenceOutputs: "sitting" });`,
  preloaded: `import { levenshteinDistance, preload } from "openevals-wasm";
    preload();
    const first = () => levenshteinDistance({ outputs: "kitten", referenceOutputs: "sitting" });`,
  judge: `import { createLLMAsJudge } from "openevals-wasm";
    const judge = createLLMAsJudge({ prompt: "{outputs}", judge: () => ({ score: true, reasoning: "Same." }) });
    const first = () => judge({ outputs: "a" });`,
};
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };
const MBIT = 1e6 / 8;

const [, , name, what] = process.argv;
const folder = fileURLToPath(new URL(`../../target/bench/page-${name}-${what}`, import.meta.url));
const link = name === "linked" ? '<link rel="preload" href="/openevals.wasm" as="fetch" crossorigin>' : "";

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const code = `${SCORE[name] ?? SCORE.levenshteinDistance}
  globalThis.scored = first().then(({ score }) => ({ score: Number(score), at: performance.now() }));`;
await esbuild.build({
  stdin: { contents: code, resolveDir: fileURLToPath(new URL(".", import.meta.url)) },
  outfile: join(folder, "main.js"),
  bundle: true,
  minify: true,
  format: "esm",
  external: ["*-wasm-base64.js"],
  logLevel: "error",
});
writeFileSync(
  join(folder, "index.html"),
  `<!doctype html><title>Bench</title>${link}<script type="module" src="/main.js"></script>`,
);
const dist = new URL("../node_modules/openevals-wasm/dist/", import.meta.url);

const server = createServer((request, response) => {
  const file = request.url === "/" ? "index.html" : request.url.slice(1);
  try {
    const body = readFileSync(extname(file) === ".wasm" ? new URL(file, dist) : join(folder, file));
    const headers = { "content-type": TYPES[extname(file)], "content-encoding": "gzip" };
    response.writeHead(200, headers).end(gzipSync(body));
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((listening) => server.listen(0, "127.0.0.1", listening));

const args = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"];
const browser = await chromium.launch({ executablePath: findChromium(), args });
try {
  const page = await browser.newPage();
  const session = await page.context().newCDPSession(page);
  let bytes = 0;
  session.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await session.send("Network.enable");
  const throughput = { downloadThroughput: 10 * MBIT, uploadThroughput: 10 * MBIT };
  await session.send("Network.emulateNetworkConditions", { offline: false, latency: 0, ...throughput });
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  const { score, at } = await page.evaluate("scored");
  console.log(JSON.stringify({ value: what === "bytes" ? bytes : at, answer: score.toFixed(2) }));
} finally {
  await browser.close();
  server.close();
}
