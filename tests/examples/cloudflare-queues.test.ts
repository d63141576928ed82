import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Experiment, evaluate } from "openevals-wasm/evaluation";
import { expect, it } from "vitest";
import { completion, startOpenAI } from "../providers/servers/openai.js";
import { freePort, install, startProgram } from "./harness.js";

const KEY = "sk-of-the-test";

/** The same for the same answer, whoever asks. */
const judged = ({ body }: { body: any }) => {
  const score = !/gift cards|Norway/.test(body.messages.at(-1).content);
  return completion(JSON.stringify({ reasoning: "So it is.", score }));
};

it("comes to what one process comes to, and asks nothing twice that is there", async () => {
  const { folder } = await install("cloudflare-queues", {
    changes: {
      "src/experiment.ts": ["ROWS = 200", "ROWS = 3"],
      "src/index.ts": ["delaySeconds: 30", "delaySeconds: 0"],
    },
  });
  const openai = await startOpenAI(KEY);
  const env = { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: `${openai.url}/v1` };
  const vars = Object.entries(env).map(([name, value]) => `${name}="${value}"\n`);
  await writeFile(join(folder, ".dev.vars"), vars.join(""));
  const file = join(folder, "answers.jsonl");
  const { evaluators } = await import(join(folder, "src/experiment.ts"));
  openai.script.push(...Array.from({ length: 7 }, () => judged));
  const whole = await evaluate(undefined, { data: file, evaluators: evaluators(env) });
  openai.requests.length = 0;

  const port = await freePort();
  const server = startProgram("npm", ["run", "dev", "--", "--port", port], folder);
  try {
    await server.says(/Ready on/);
    const address = `http://127.0.0.1:${port}/experiments`;
    const post = async () =>
      (await fetch(address, { method: "POST", body: await readFile(file) })).json() as Promise<{
        id: string;
      }>;
    // The first question finds the judge out of order: its shard is delivered again.
    openai.script.push({ status: 401, body: "No such key" }, ...Array.from({ length: 10 }, () => judged));
    const sent = await post();
    expect(sent).toEqual({ id: expect.stringMatching(/^[\da-f]{32}$/), count: 3 });
    const state = async () => {
      const response = await fetch(`${address}/${sent.id}`);
      return { status: response.status, body: (await response.json()) as Experiment };
    };
    await expect.poll(async () => (await state()).status, { timeout: 60_000 }).toBe(200);
    const scores = ({ rows }: Experiment) =>
      rows.map((row) => [row.example.id, row.evaluationResults.map(({ key, score }) => [key, score])]);
    const { body } = await state();
    expect(scores(body)).toEqual(scores(whole));
    expect(body.aggregates).toEqual(whole.aggregates);
    expect([body.experimentName, whole.aggregates.correct?.mean]).toEqual([sent.id, 5 / 7]);
    expect(server.said()).toContain("have no score yet");

    const asked = openai.requests.length;
    expect(await post()).toEqual(sent);
    await expect.poll(() => server.said().match(/is there already/g)?.length, { timeout: 60_000 }).toBe(3);
    expect(openai.requests.length).toBe(asked);
    expect((await fetch(`${address}/nothing`)).status).toBe(404);
  } finally {
    await server.stop();
    await openai.close();
  }
});
