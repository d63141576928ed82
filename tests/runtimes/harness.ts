/** The common part of the runtime tests: running programs, a static web server, and Chromium. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, resolve } from "node:path";
import { buffer } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Browser, chromium, type Download, type Request } from "playwright-core";
import { inject } from "vitest";

const here = fileURLToPath(new URL("./", import.meta.url));
export const repository = resolve(here, "../..");

/** The path of a program that `npm ci` put under tests/node_modules. */
export function tool(path: string): string {
  const file = join(here, "../node_modules", path);
  if (!existsSync(file))
    throw new Error(`${path} is missing in tests/node_modules: run \`npm ci\` in tests/`);
  return file;
}

/** Runs a program to its end and returns what it printed. A failing one throws with all its output. */
export async function run(command: string, args: string[], cwd: string, env: NodeJS.ProcessEnv = {}) {
  const options = { cwd, env: { ...process.env, ...env }, timeout: 50_000 };
  try {
    return (await promisify(execFile)(command, args, options)).stdout;
  } catch (error) {
    const { stdout, stderr, killed } = error as { stdout: string; stderr: string; killed: boolean };
    const ended = killed ? `did not end within ${options.timeout / 1000} s` : "failed";
    throw new Error(`${command} ${args.join(" ")} ${ended}:\n${stdout}${stderr}`);
  }
}

const contentTypes: Record<string, string> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".wasm": "application/wasm",
};

/** Serves a folder on a free port of loopback. */
export async function serveFolder(folder: string): Promise<{ url: string; close: () => void }> {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const file = join(folder, pathname.endsWith("/") ? `${pathname}index.html` : pathname);
    const body = await readFile(file).catch(() => undefined);
    response.writeHead(body ? 200 : 404, { "content-type": contentTypes[extname(file)] ?? "text/plain" });
    response.end(body ?? "not found");
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, close: () => server.close() };
}

/**
 * Connects to the Chromium of the project (`chromium.ts`). Each connection has separate contexts, which end with it. Missing, it
 * fails the tests rather than skipping them.
 */
export function openChromium(): Promise<Browser> {
  const address = inject("chromium");
  if (!address)
    throw new Error("Chromium is missing: `apt-get install chromium`, or set CHROMIUM to its path");
  return chromium.connect(address);
}

/** The text of a downloaded file, with its byte order mark. */
export const textOf = async (download: Download): Promise<string> =>
  (await buffer(await download.createReadStream())).toString();

/** The requests of a page, and the responses. */
export interface Visit {
  /** The probe's answer. */
  scores: unknown;
  /** `<status> <path>` of the requests before the first evaluator was called. */
  before: string[];
  /** The same, from the first call on. */
  after: string[];
}

/**
 * Opens a page that puts `score()` on globalThis, calls it, and returns the result with the requests made.
 * The page may put a promise `ready` on globalThis, for work before the first call.
 */
export async function visit(browser: Browser, url: string): Promise<Visit> {
  const page = await browser.newPage();
  try {
    const problems: string[] = [];
    const requests: Request[] = [];
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("request", (request) => requests.push(request));
    await page.route("**/favicon.ico", (route) => route.fulfill({ status: 204 }));
    await page.goto(url);
    if (problems.length > 0) throw new Error(`${url}: ${problems.join("; ")}`);
    await page.evaluate("Promise.resolve(globalThis.ready).then(() => {})");

    const first = requests.length;
    const scores = JSON.parse(await page.evaluate<string>("score().then(JSON.stringify)"));
    const log = await Promise.all(
      requests.map(async (request) => {
        return `${(await request.response())?.status()} ${new URL(request.url()).pathname}`;
      }),
    );
    return { scores, before: log.slice(0, first), after: log.slice(first) };
  } finally {
    await page.close();
  }
}
