/** Next.js, with both of its bundlers. LangSmith is an optional package, which only the running application looks for. */
import { once } from "node:events";
import { createServer } from "node:net";
import { expect, it } from "vitest";
import { clean, listening, program, runNode, startNode } from "./harness.js";

it.each([
  "turbopack",
  "webpack",
])("%s builds without a warning; a route scores, and LangSmith traces it", async (bundler) => {
  await clean("next", ".next");
  const said = await runNode([program("next/dist/bin/next"), "build", `--${bundler}`], "next");
  expect(said).not.toMatch(/warn|critical|dynamic expression/i);

  const langsmith = await listening((method, url) => method === "POST" && url.startsWith("/runs"));
  const port = await freePort();
  const { child, ended } = startNode([program("next/dist/bin/next"), "start", "--port", `${port}`], "next", {
    LANGSMITH_TRACING: "true",
    LANGSMITH_API_KEY: "none",
    LANGSMITH_ENDPOINT: langsmith.url,
  });
  try {
    await new Promise<void>((ready) => {
      child.stdout.on("data", (text: string) => text.includes("Ready") && ready());
    });
    const response = await fetch(`http://127.0.0.1:${port}/api/score`);
    expect(await response.json()).toEqual({ key: "exact_match", score: true });
    expect(await langsmith.arrived).toContain("exact_match");
  } finally {
    child.kill();
    await ended;
    langsmith.close();
  }
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}
