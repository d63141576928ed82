import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Experiment, evaluate } from "openevals-wasm/evaluation";
import { afterAll, beforeAll, expect, it } from "vitest";
import { completion, startOpenAI } from "../providers/servers/openai.js";
import { freePort, install, type Program, startScript } from "./harness.js";

const KEY = "sk-of-the-test";

/** The same for the same answer, in every process. */
const judged = ({ body }: { body: any }) => {
  const score = !/gift cards|Norway/.test(body.messages.at(-1).content);
  return completion(JSON.stringify({ reasoning: "So it is.", score }));
};

let folder: string;
let openai: Awaited<ReturnType<typeof startOpenAI>>;
let server: Program;
let address: string;
beforeAll(async () => {
  ({ folder } = await install("cloudflare-queues", {
    changes: {
      "src/experiment.ts": ["ROWS = 200", "ROWS = 3"],
      "src/index.ts": ["delaySeconds: 30", "delaySeconds: 0"],
      // An experiment of one shard never finds its rows.
      "src/consume.ts": ["if (!rows)", "if (!rows || count === 1)"],
    },
  }));
  // Results of an earlier run.
  await rm(join(folder, ".wrangler"), { recursive: true, force: true });
  openai = await startOpenAI(KEY);
  const vars = Object.entries(env()).map(([name, value]) => `${name}="${value}"\n`);
  await writeFile(join(folder, ".dev.vars"), vars.join(""));
  const port = await freePort();
  server = await startScript(folder, ["dev", "--port", port]);
  await server.says(/Ready on/);
  address = `http://127.0.0.1:${port}/experiments`;
});
afterAll(async () => {
  await server?.stop();
  await openai?.close();
});

const env = () => ({ OPENAI_API_KEY: KEY, OPENAI_BASE_URL: `${openai.url}/v1` });

const post = (body: string) => fetch(address, { method: "POST", body });

it("equals the result of one process, and asks nothing again", async () => {
  const file = join(folder, "answers.jsonl");
  const { evaluators } = await import(join(folder, "src/experiment.ts"));
  openai.script.push(...Array.from({ length: 7 }, () => judged));
  const whole = await evaluate(undefined, { data: file, evaluators: evaluators(env()) });
  openai.requests.length = 0;

  const send = async () => (await post(await readFile(file, "utf8"))).json() as Promise<{ id: string }>;
  // The first question finds the judge out of order: its shard is delivered again.
  openai.script.push({ status: 401, body: "No such key" }, ...Array.from({ length: 10 }, () => judged));
  const sent = await send();
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
  expect(await send()).toEqual(sent);
  await expect.poll(() => server.said().match(/is there already/g)?.length, { timeout: 60_000 }).toBe(3);
  expect(openai.requests.length).toBe(asked);
  expect((await fetch(`${address}/nothing`)).status).toBe(404);
});

it("rejects invalid rows before anything is sent", async () => {
  const refused = async (body: string) => {
    const response = await post(body);
    return [response.status, await response.text()];
  };
  const broken = '{"inputs":"a","outputs":"b"}\n{"inputs":"a","outputs"\n';
  expect(await refused(broken)).toEqual([400, expect.stringMatching(/^data:2 is not valid JSON/)]);
  expect(await refused("5")).toEqual([400, expect.stringMatching(/^data:1 is 5; a row is an object/)]);
  for (const empty of ["", "\n \n"]) expect(await refused(empty)).toEqual([400, "The data has no rows."]);
});

it("reports a shard whose attempts have all failed, and retries it when it is sent again", async () => {
  const failures = () => server.said().match(/There are no rows of/g)?.length ?? 0;
  for (const attempts of [4, 8]) {
    const response = await post('{"inputs":"a","outputs":"b"}');
    const { id } = (await response.json()) as { id: string };
    await expect.poll(failures, { timeout: 60_000 }).toBe(attempts);
    await expect.poll(async () => (await fetch(`${address}/${id}`)).status, { timeout: 60_000 }).toBe(500);
    expect(await (await fetch(`${address}/${id}`)).json()).toEqual({ done: 0, lost: 1, count: 1 });
  }
});
