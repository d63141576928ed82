/** The static server behind `npm run www`. */
import { request } from "node:http";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { serve } from "../../xtask/www.mjs";

const pkg = fileURLToPath(new URL("../node_modules/openevals-wasm", import.meta.url));

let site: Awaited<ReturnType<typeof serve>>;
beforeAll(async () => {
  site = await serve({ pkg });
});
afterAll(() => site.close());

/** Sends a path as it is: `fetch` would take the dots out of it. */
function get(path: string, method = "GET"): Promise<{ status?: number; type?: string; length: number }> {
  const { hostname, port } = new URL(site.url);
  return new Promise((resolve, reject) => {
    request({ hostname, port, path, method }, (response) => {
      let length = 0;
      response.on("data", (chunk) => {
        length += chunk.length;
      });
      response.on("end", () => {
        resolve({ status: response.statusCode, type: response.headers["content-type"], length });
      });
    })
      .on("error", reject)
      .end();
  });
}

it.each([
  ["/", "text/html; charset=utf-8"],
  ["/index.html", "text/html; charset=utf-8"],
  ["/?a=b", "text/html; charset=utf-8"],
  ["/style.css", "text/css; charset=utf-8"],
  ["/main.js", "text/javascript; charset=utf-8"],
  ["/icon.svg", "image/svg+xml"],
  ["/pkg/dist/index.js", "text/javascript; charset=utf-8"],
  ["/pkg/dist/openevals.wasm", "application/wasm"],
  ["/pkg/package.json", "application/json"],
])("serves %s", async (path, type) => {
  expect(await get(path)).toMatchObject({ status: 200, type });
});

it("answers HEAD with no body", async () => {
  expect(await get("/", "HEAD")).toMatchObject({ status: 200, length: 0 });
});

it.each([
  "/../package.json",
  "/%2e%2e/package.json",
  "/..%2fpackage.json",
  "/pkg/..%2f..%2fpackage.json",
  "/pkg/%2e%2e%2f%2e%2e%2fpackage.json",
  "/pkg/..%5c..%5cpackage.json",
  "/%2fetc/passwd",
  "//etc/passwd",
  "/pkg//etc/passwd",
  "/index.html%00.js",
  "/%ZZ",
  "/nothing.js",
  "/pkg",
])("does not serve %s", async (path) => {
  expect((await get(path)).status).toBeOneOf([400, 404]);
});

it("takes GET and HEAD only", async () => {
  expect((await get("/", "POST")).status).toBe(405);
});

it("takes the next free port", async () => {
  const { port } = new URL(site.url);
  const other = await serve({ port: Number(port), pkg });
  try {
    expect(Number(new URL(other.url).port)).toBeGreaterThan(Number(port));
  } finally {
    await other.close();
  }
});
