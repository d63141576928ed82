// `npm run www`: serves the page in www/, and beside it the built package that the page imports.

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize, sep } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".map": "application/json",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm", // a browser compiles while it downloads, but only with this type
};

/**
 * Serves www/ at / and the package at /pkg/, on 127.0.0.1.
 * `port` 0 takes any free port; another one that is taken gives way to the next free one.
 */
export async function serve({ port = 0, pkg = join(ROOT, "pkg") } = {}) {
  const folders = { pkg, www: join(ROOT, "www") };
  const server = createServer((request, response) => answer(request, response, folders));
  await listen(server, port);
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(request, response, folders) {
  const send = (status, headers, body) => response.writeHead(status, headers).end(body);
  if (request.method !== "GET" && request.method !== "HEAD") return send(405, { allow: "GET, HEAD" });
  const file = locate(request.url, folders);
  if (!file) return send(400);
  try {
    const body = await readFile(file);
    const headers = {
      "content-type": TYPES[extname(file)] ?? "application/octet-stream",
      "content-length": body.length,
      "cache-control": "no-cache",
      "x-content-type-options": "nosniff",
    };
    send(200, headers, request.method === "HEAD" ? undefined : body);
  } catch {
    send(404, { "content-type": "text/plain" }, "Not found\n");
  }
}

/** The file that a URL names, or nothing if it leads out of the served folders. */
function locate(url, { pkg, www }) {
  try {
    const path = decodeURIComponent(new URL(url, "http://localhost").pathname);
    const [folder, rest] = path.startsWith("/pkg/")
      ? [pkg, path.slice("/pkg/".length)]
      : [www, path.slice(1)];
    const file = normalize(join(folder, rest === "" ? "index.html" : rest));
    return file.startsWith(folder + sep) && !file.includes("\0") ? file : undefined;
  } catch {
    return undefined; // an escape that is none, such as %ZZ
  }
}

async function listen(server, port) {
  for (let candidate = port; ; candidate++) {
    try {
      await new Promise((resolve, reject) => {
        server.once("error", reject);
        server.listen(candidate, "127.0.0.1", () => {
          server.off("error", reject);
          resolve();
        });
      });
      return;
    } catch (error) {
      if (error.code !== "EADDRINUSE" || candidate >= port + 100) throw error;
    }
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  // Imported here: the tests use `serve` alone, with a package that is built already.
  const { build } = await import("./build.mjs");
  await build();
  const { url } = await serve({ port: Number(process.env.PORT ?? 5173) });
  console.log(`The page is at ${url} (Ctrl+C ends it).`);
}
