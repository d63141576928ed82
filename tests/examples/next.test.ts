/**
 * Next.js, with both of its bundlers. LangSmith is an optional package, which only the running application looks for: of
 * `output: "standalone"`, it has to be part.
 */
import { once } from "node:events";
import { cp, mkdtemp } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { completion, startOpenAI } from "../providers/servers/openai.js";
import { openChromium, repository } from "../runtimes/harness.js";
import { freePort, install, startProgram, startScript } from "./harness.js";

const KEY = "sk-of-the-test";

let browser: Browser;
beforeAll(async () => {
  browser = await openChromium();
});
afterAll(() => browser?.close());

/** The two files that the guide has for LangSmith in a standalone application. */
const STANDALONE = {
  files: {
    "instrumentation.js": `export async function register() {
      if (process.env.NEXT_RUNTIME === "nodejs") await import("langsmith/traceable");
    }`,
    "next.config.mjs": `export default {
      output: "standalone",
      serverExternalPackages: ["langsmith"],
      outputFileTracingRoot: ${JSON.stringify(repository)}, // the links of the tests lead there
    };`,
  },
  copied: ["langsmith"],
};

it.each([
  ["turbopack", "edge", "standalone", STANDALONE],
  // With webpack, Next 16.4 builds no application that has an edge route, whatever is in it.
  ["webpack", "nodejs", "in place", { dependencies: { langsmith: "^0.12.0" } }],
] as const)("%s builds without a warning; browser, %s and Node score, and LangSmith traces it %s", async (bundler, runtime, how, options) => {
  const { folder, said } = await install("next", {
    as: `next-${bundler}`,
    ...(options as object),
    changes: { "app/api/check/route.js": ['runtime = "edge"', `runtime = "${runtime}"`] },
    build: ["build", `--${bundler}`],
  });
  expect(said).toMatch(/\/api\/grade/);
  expect(said).not.toMatch(/warn|critical|dynamic expression/i);

  const openai = await startOpenAI(KEY);
  const langsmith = await listening();
  const port = await freePort();
  const env = {
    OPENAI_API_KEY: KEY,
    OPENAI_BASE_URL: `${openai.url}/v1`,
    LANGSMITH_TRACING: "true",
    LANGSMITH_API_KEY: "none",
    LANGSMITH_ENDPOINT: langsmith.url,
  };
  const server =
    how === "standalone"
      ? startProgram("node", ["server.js"], await deployed(folder), { ...env, PORT: port })
      : await startScript(folder, ["start", "--port", port], env);
  const page = await browser.newPage();
  try {
    await server.says(/Ready/);
    await page.goto(`http://localhost:${port}`);
    const question = page.locator("section").first();
    const [meter, status] = [question.getByRole("meter"), question.getByRole("status")];
    await question.getByRole("textbox").fill("Astano");
    // One letter of six: the client component.
    await expect.poll(async () => Number(await meter.getAttribute("value"))).toBeCloseTo(5 / 6);

    // The edge route.
    await question.getByRole("button", { name: "Check" }).click();
    await expect.poll(() => status.innerText()).toMatch(/^Not right\. outputs .*"Astano"/);

    // The node route.
    openai.script.push(completion(JSON.stringify({ reasoning: "A slip of the pen.", score: true })));
    await question.getByRole("button", { name: "graded" }).click();
    await expect.poll(() => status.innerText()).toBe("Right. A slip of the pen.");
    expect(openai.requests[0]?.body.messages.at(-1).content).toContain("Kazakhstan");
    await expect.poll(() => langsmith.runs()).toMatch(/exact_match|correctness/);
  } finally {
    // An open connection of the page keeps the server running.
    await page.close();
    await server.stop();
    langsmith.close();
    await openai.close();
  }
});

/** A copy of the standalone application, where nothing else of the project is. */
async function deployed(folder: string): Promise<string> {
  const place = await mkdtemp(join(tmpdir(), "openevals-wasm-next-"));
  await cp(join(folder, ".next/standalone"), place, { recursive: true, verbatimSymlinks: true });
  const app = join(place, relative(repository, folder));
  await cp(join(folder, ".next/static"), join(app, ".next/static"), { recursive: true });
  return app;
}

/** A server on loopback that answers everything with `{}` and keeps the runs that are sent. */
async function listening() {
  let runs = "";
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const piece of request) body += piece;
    response.setHeader("content-type", "application/json").end("{}");
    if (request.method === "POST" && request.url?.startsWith("/runs")) runs += body;
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, runs: () => runs, close: () => server.close() };
}
