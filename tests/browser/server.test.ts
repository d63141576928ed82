/** The static server behind `npm run www`. */
import { request } from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";
import { serve } from "../../xtask/www.mjs";
import { folder } from "./build.js";

let site: Awaited<ReturnType<typeof serve>>;
beforeAll(async () => {
  site = await serve({ folder });
});
afterAll(() => site.close());

/** Sends a path unchanged: `fetch` would remove the dots. */
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
  ["/playground.html", "text/html; charset=utf-8"],
  ["/assets/playground.css", "text/css; charset=utf-8"],
  ["/assets/playground.js", "text/javascript; charset=utf-8"],
  ["/assets/icon.svg", "image/svg+xml"],
  ["/assets/openevals.wasm", "application/wasm"],
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
  "/assets/..%2f..%2fpackage.json",
  "/assets/%2e%2e%2f%2e%2e%2fpackage.json",
  "/assets/..%5c..%5cpackage.json",
  "/%2fetc/passwd",
  "//etc/passwd",
  "/assets//etc/passwd",
  "/index.html%00.js",
  "/%ZZ",
  "/nothing.js",
  "/assets",
])("does not serve %s", async (path) => {
  expect((await get(path)).status).toBeOneOf([400, 404]);
});

it("takes GET and HEAD only", async () => {
  expect((await get("/", "POST")).status).toBe(405);
});

it("takes the next free port", async () => {
  const { port } = new URL(site.url);
  const other = await serve({ port: Number(port), folder });
  try {
    expect(Number(new URL(other.url).port)).toBeGreaterThan(Number(port));
  } finally {
    await other.close();
  }
});
