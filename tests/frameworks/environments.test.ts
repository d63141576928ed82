/** Environments of tests that play a browser in Node. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, it } from "vitest";
import { here, program, runNode } from "./harness.js";

it("Jest with jsdom, which hides the encoders of Node", async () => {
  const jest = ["--experimental-vm-modules", program("jest/bin/jest.js"), "--config", "jest.config.json"];
  expect(await runNode(jest, "jest")).toContain("Tests:       4 passed, 4 total");
});

it.each(["jsdom", "happy-dom"])("Vitest with %s is Node, where a key may be used", async (environment) => {
  const keys: unknown[] = [];
  const server = createServer((request, response) => {
    keys.push(request.headers.authorization);
    const content = JSON.stringify({ reasoning: "It is.", score: true });
    response
      .writeHead(200, {
        "content-type": "application/json",
        "access-control-allow-origin": "*",
        "access-control-allow-headers": "*",
      })
      .end(JSON.stringify({ choices: [{ message: { content } }] }));
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const { port } = server.address() as AddressInfo;
  try {
    const args = [
      program("vitest/vitest.mjs"),
      "run",
      "--environment",
      environment,
      "--root",
      join(here, "vitest"),
    ];
    const env = { OPENAI_API_KEY: "sk-of-the-test", OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1` };
    expect(await runNode(args, "vitest", env)).toMatch(/Tests +2 passed/);
    expect(keys.at(-1)).toBe("Bearer sk-of-the-test");
  } finally {
    server.close();
  }
});
