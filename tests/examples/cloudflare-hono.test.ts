import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { completion, startOpenAI } from "../providers/servers/openai.js";
import { examples, freePort, install, startScript } from "./harness.js";

const KEY = "sk-of-the-test";

it("has the bundle that its README says", async () => {
  const { said } = await install("cloudflare-hono", { build: ["size"] });
  const [, uploaded] = /Total Upload: .* \/ gzip: ([\d.]+) KiB/.exec(said) ?? [];
  const kilobytes = (Number(uploaded) * 1024) / 1000;
  console.log(`cloudflare-hono: ${kilobytes.toFixed(0)} KB gzipped, the binary included`);
  const readme = await readFile(join(examples, "cloudflare-hono/README.md"), "utf8");
  const [, named] = /some (\d+) KB gzipped/.exec(readme) ?? [];
  expect(Math.abs(Number(named) / kilobytes - 1)).toBeLessThan(0.05);
});

it("answers first, and logs the score of its answer afterwards", async () => {
  const { folder } = await install("cloudflare-hono", { build: ["size"] });
  const openai = await startOpenAI(KEY);
  await writeFile(join(folder, ".dev.vars"), `OPENAI_API_KEY="${KEY}"\nOPENAI_BASE_URL="${openai.url}/v1"\n`);
  const port = await freePort();
  const server = await startScript(folder, ["dev", "--port", port]);
  try {
    await server.says(/Ready on/);
    let judge = (): void => {};
    const mayJudge = new Promise<void>((resolve) => {
      judge = resolve;
    });
    openai.script.push(completion("4 to 16 °C, as a rule."), async () => {
      await mayJudge;
      return completion(JSON.stringify({ reasoning: "Nothing can be left out.", score: true }));
    });
    const question = "How warm is it in Oslo in May?";
    const response = await fetch(`http://127.0.0.1:${port}/ask`, { method: "POST", body: question });
    expect(await response.text()).toBe("4 to 16 °C, as a rule.");
    expect(server.said()).not.toContain("conciseness");

    judge();
    const [line] = await server.says(/\{"key":"conciseness".*\}/);
    expect(JSON.parse(line)).toEqual({
      key: "conciseness",
      score: true,
      comment: "Nothing can be left out.",
      question,
    });
    openai.script.push({ status: 401, body: "No such key" });
    const refused = await fetch(`http://127.0.0.1:${port}/ask`, { method: "POST", body: question });
    expect([refused.status, await refused.text()]).toEqual([502, "The model answered with 401: No such key"]);
    expect(openai.requests[1]?.body.messages.at(-1).content).toContain("4 to 16 °C");
  } finally {
    await server.stop();
    await openai.close();
  }
});
