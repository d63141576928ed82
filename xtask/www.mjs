/**
 * `npm run www` builds the site and serves it; `npm run www -- --out FOLDER` writes it as static files. `--url https://…/` says
 * where they will be, for the pictures that other sites show beside links.
 */

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize, resolve, sep } from "node:path";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { main, path, TaskError } from "./run.mjs";

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".md": "text/markdown; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm", // a browser compiles while it downloads, but only with this type
};

/**
 * Serves a folder on 127.0.0.1 with compression, as hosts do. `port` 0 takes any free port. If another port
 * is in use, the next free one is taken.
 */
export async function serve({ folder, port = 0 }) {
  const compressed = new Map();
  const server = createServer((request, response) => answer(request, response, folder, compressed));
  await listen(server, port);
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    async close() {
      const closed = new Promise((done) => server.close(done));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(request, response, folder, compressed) {
  const send = (status, headers, body) => response.writeHead(status, headers).end(body);
  if (request.method !== "GET" && request.method !== "HEAD") return send(405, { allow: "GET, HEAD" });
  const file = locate(request.url, folder);
  if (!file) return send(400);
  try {
    let body = await readFile(file);
    const headers = {
      "content-type": TYPES[extname(file)] ?? "application/octet-stream",
      "cache-control": "no-cache",
      vary: "accept-encoding",
      "x-content-type-options": "nosniff",
    };
    if (/\bgzip\b/.test(request.headers["accept-encoding"] ?? "")) {
      const key = `${file}\0${body.length}`;
      if (!compressed.has(key)) compressed.set(key, gzipSync(body, { level: 9 }));
      body = compressed.get(key);
      headers["content-encoding"] = "gzip";
    }
    headers["content-length"] = body.length;
    send(200, headers, request.method === "HEAD" ? undefined : body);
  } catch {
    send(404, { "content-type": "text/plain" }, "Not found\n");
  }
}

/** The file of a URL; `undefined` if it is outside of the folder. */
function locate(url, folder) {
  try {
    const { pathname } = new URL(url, "http://localhost");
    const name = decodeURIComponent(pathname).slice(1);
    const file = normalize(join(folder, name === "" || name.endsWith("/") ? `${name}index.html` : name));
    return file.startsWith(folder + sep) && !file.includes("\0") ? file : undefined;
  } catch {
    return undefined; // an invalid escape, such as %ZZ
  }
}

async function listen(server, port) {
  for (let candidate = port; ; candidate++) {
    try {
      await new Promise((listening, failed) => {
        server.once("error", failed);
        server.listen(candidate, "127.0.0.1", () => {
          server.off("error", failed);
          listening();
        });
      });
      return;
    } catch (error) {
      if (error.code !== "EADDRINUSE" || candidate >= port + 100) throw error;
    }
  }
}

await main(import.meta.url, async () => {
  const { values } = parseArgs({ options: { out: { type: "string" }, url: { type: "string" } } });
  if (values.out === "") throw new TaskError("--out needs the name of a folder.");
  if (values.url && !/^https?:\/\/.+\/$/.test(values.url))
    throw new TaskError(
      "--url needs an address with a slash at its end, such as https://example.com/evals/.",
    );
  // Imported here: the tests use `serve` alone.
  const [{ build }, { buildSite }] = await Promise.all([import("./build.mjs"), import("./site.mjs")]);
  await build();
  const folder = values.out ? resolve(values.out) : path("target/site");
  await buildSite({ out: folder, url: values.url });
  if (values.out) {
    console.log(`The site is in ${folder}: static files, for any host and any path.`);
    return;
  }
  const { url } = await serve({ folder, port: Number(process.env.PORT ?? 5173) });
  console.log(`The site is at ${url} (Ctrl+C ends it).`);
});
