/** `view`: access control, and the written labels. The page is tested with the reports. */
import { readFile, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { readExperiment } from "openevals-wasm/evaluation";
import { calibrate } from "openevals-wasm/judges";
import { afterEach, beforeEach, expect, it } from "vitest";
import { runProgram } from "./program.js";
import { growing, startView } from "./viewing.js";

let files: Awaited<ReturnType<typeof growing>>;
beforeEach(async () => {
  files = await growing();
});
afterEach(() => files.remove());

interface Sent {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** Sends a request that no browser would: with any headers. */
const ask = (url: string, { method = "GET", headers = {}, body }: Sent = {}) =>
  new Promise<{ status: number; headers: Record<string, any>; text: string }>((resolve, reject) => {
    const asked = request(url, { method, headers }, async (response) => {
      let text = "";
      for await (const chunk of response) text += chunk;
      resolve({ status: response.statusCode!, headers: response.headers, text });
    });
    asked.on("error", reject).end(body);
  });

it("answers its own page alone", async () => {
  const view = await startView(files.folder, "run.jsonl", "--label", "human.jsonl");
  const { host, port, origin } = new URL(view.url);
  expect(view.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{43}\/$/);
  const page = await ask(view.url);
  expect(page.status).toBe(200);
  expect(page.headers).toMatchObject({
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": expect.stringMatching(
      /^default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+' 'sha256-[^']+'; connect-src 'self'; img-src data:; .*; frame-ancestors 'none'$/,
    ),
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
  });
  expect(page.headers).not.toHaveProperty("access-control-allow-origin");
  expect((await ask(`${view.url.replace("127.0.0.1", "localhost")}data`)).status).toBe(200);

  const json = { origin, "content-type": "application/json" };
  const body = JSON.stringify({ id: "row-1", repetition: 0, label: true });
  const labels = `${view.url}labels`;
  const statuses = {
    otherToken: await ask(`${origin}/${"A".repeat(43)}/`),
    noToken: await ask(`${origin}/`),
    begun: await ask(view.url.slice(0, -2)),
    otherHost: await ask(view.url, { headers: { host: `evil.example:${port}` } }),
    hostWithoutPort: await ask(view.url, { headers: { host: "127.0.0.1" } }),
    otherOrigin: await ask(`${view.url}data`, { headers: { origin: "https://evil.example" } }),
    nullOrigin: await ask(labels, { method: "POST", headers: { ...json, origin: "null" }, body }),
    otherSite: await ask(`${view.url}data`, { headers: { "sec-fetch-site": "cross-site" } }),
    otherName: await ask(labels, {
      method: "POST",
      headers: { ...json, origin: `http://localhost:${port}` },
      body,
    }),
    postWithoutOrigin: await ask(labels, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    }),
    asForm: await ask(labels, { method: "POST", headers: { origin, "content-type": "text/plain" }, body }),
    tooLong: await ask(labels, { method: "POST", headers: json, body: "x".repeat(70_000) }),
    noJson: await ask(labels, { method: "POST", headers: json, body: "{" }),
    noRow: await ask(labels, { method: "POST", headers: json, body: body.replace("row-1", "row-12") }),
    noSuchLabel: await ask(labels, { method: "POST", headers: json, body: body.replace("true", "99") }),
    noLabel: await ask(labels, { method: "POST", headers: json, body: body.replace("true", '"yes"') }),
    preflight: await ask(labels, { method: "OPTIONS", headers: { origin } }),
    elsewhere: await ask(`${view.url}..%2f`),
  };
  expect(Object.fromEntries(Object.entries(statuses).map(([name, { status }]) => [name, status]))).toEqual({
    ...{ otherToken: 404, noToken: 404, begun: 404 },
    ...{ otherHost: 403, hostWithoutPort: 403, otherOrigin: 403, nullOrigin: 403, otherSite: 403 },
    ...{ otherName: 403, postWithoutOrigin: 403, asForm: 415, tooLong: 413 },
    ...{ noJson: 400, noRow: 400, noLabel: 400, noSuchLabel: 400, preflight: 404, elsewhere: 404 },
  });
  expect(statuses.noRow.text).toBe('There is no row "row-12".');
  expect(statuses.noSuchLabel.text).toBe("The label is 99; it has to be true, false or null.");
  expect(statuses.tooLong.headers).toMatchObject({ connection: "close" });
  const longNote = JSON.stringify({ ...JSON.parse(body), note: "x".repeat(2_001) });
  expect(await ask(labels, { method: "POST", headers: json, body: longNote })).toMatchObject({
    status: 400,
    text: "The note has 2,001 characters; the limit is 2,000.",
  });

  // The time is that of this machine.
  const backdated = JSON.stringify({ ...JSON.parse(body), time: "1999-01-01T00:00:00.000Z" });
  expect((await ask(labels, { method: "POST", headers: { ...json, host }, body: backdated })).status).toBe(
    204,
  );
  expect(await files.labels()).toEqual([
    { id: "row-1", repetition: 0, label: true, time: expect.stringMatching(/^20.*Z$/) },
  ]);
  expect(await view.end()).toBe(0);
  expect(view.said()).toBe(
    "Anyone with this address on this machine can read the experiment. Press Ctrl-C to stop.\n",
  );
});

it("shows new rows of a growing file, and the previous ones while it is half written", async () => {
  const view = await startView(files.folder, "run.jsonl");
  const first = JSON.parse((await ask(`${view.url}data`)).text);
  expect(first.report.experiment).toMatchObject({ stopped: { code: "aborted" } });
  expect(first.report.experiment.rows).toHaveLength(8);
  const since = `${view.url}data?since=${encodeURIComponent(first.version)}`;
  expect((await ask(since)).status).toBe(204);
  await files.finish();
  const whole = await readFile(files.path, "utf8");
  const second = JSON.parse((await ask(since)).text);
  expect(second.report.experiment.rows).toHaveLength(12);
  expect(second.report.experiment).not.toHaveProperty("stopped");
  // As a program does that writes it anew.
  await writeFile(files.path, "");
  expect(JSON.parse((await ask(`${view.url}data`)).text)).toEqual(second);
  await writeFile(files.path, whole);
  expect(JSON.parse((await ask(`${view.url}data`)).text).report).toEqual(second.report);
  expect(
    (await ask(`${view.url}labels`, { method: "POST", headers: { origin: new URL(view.url).origin } }))
      .status,
  ).toBe(404);
  expect(await view.end()).toBe(0);
});

it("continues with earlier labels", async () => {
  const human = join(files.folder, "human.jsonl");
  const line = (id: string, label: boolean | null, note?: string) =>
    JSON.stringify({ id, repetition: 0, label, note, time: "2026-11-22T12:00:00.000Z" });
  await writeFile(
    human,
    `${line("row-1", true)}\n${line("row-2", true)}\n${line("row-1", false, "No.")}\n{"id":"row`,
  );
  const view = await startView(files.folder, "run.jsonl", "--label", "human.jsonl");
  expect(view.said()).toContain("human.jsonl: the last line is incomplete and was removed.");
  const page = (await ask(view.url)).text;
  const data = JSON.parse(/id="data">(.*?)<\/script>/s.exec(page)![1]!);
  expect(data.labels).toMatchObject([
    { id: "row-1", label: false, note: "No." },
    { id: "row-2", label: true },
  ]);
  const headers = { origin: new URL(view.url).origin, "content-type": "application/json" };
  const bodies = ["row-3", "row-4", "row-5"].map((id) =>
    JSON.stringify({ id, repetition: 0, label: null, note: "?" }),
  );
  await Promise.all(bodies.map((body) => ask(`${view.url}labels`, { method: "POST", headers, body })));
  expect((await files.labels()).map(({ id }) => id).sort()).toEqual([
    "row-1",
    "row-1",
    "row-2",
    "row-3",
    "row-4",
    "row-5",
  ]);
  expect(await view.end()).toBe(0);
});

it.each([
  [["view"], "view needs one file"],
  [["view", "none.jsonl"], "There is no file or folder none.jsonl."],
  [["view", "data.jsonl"], "data.jsonl is not an experiment file"],
  [["view", "run.jsonl", "--label", "human.json"], '--label is "human.json"; it has to end in .jsonl'],
  [["view", "run.jsonl", "--label", "run.jsonl"], "--label run.jsonl would overwrite run.jsonl"],
  [["view", "run.jsonl", "--label", "data.jsonl"], "data.jsonl:1 is not a label of view"],
])("rejects invalid options: %j", async (args, message) => {
  await writeFile(join(files.folder, "data.jsonl"), '{"id":"row-1","human":true}\n');
  const { code, stderr } = await runProgram(files.folder, args);
  expect(stderr).toContain(message);
  expect(code).toBe(2);
});

const label = (id: string) =>
  JSON.stringify({ id, repetition: 0, label: true, time: "2026-11-22T12:00:00.000Z" });
it.each([
  ["a line of other JSON", '{"id":"row-1","human":true}', 1],
  ["a line of prose", "my notes", 1],
  ["a line that is not complete", '{"id":"row', 1],
  ["labels, and other JSON", `${label("row-1")}\n{"id":1}`, 2],
  ["labels, and prose", `${label("row-1")}\nmy notes`, 2],
])("refuses and keeps a file without a line feed at its end: %s", async (_, text, line) => {
  const human = join(files.folder, "human.jsonl");
  await writeFile(human, text);
  const { code, stderr } = await runProgram(files.folder, ["view", "run.jsonl", "--label", "human.jsonl"]);
  expect(stderr).toContain(`human.jsonl:${line} is not a label of view; name another file`);
  expect(code).toBe(2);
  expect(await readFile(human, "utf8")).toBe(text);
});

it("removes an incomplete last label, which calibrate() refuses", async () => {
  const human = join(files.folder, "human.jsonl");
  await writeFile(human, `${label("row-1")}\n{"id":"row`);
  const experiment = await readExperiment(files.path);
  const calibrated = () => calibrate(experiment, { data: human, label: "label" });
  await expect(calibrated()).rejects.toThrow(
    /human\.jsonl:2 is not valid JSON: .*[^.]\. If this is an incomplete last line of view --label, start that again: it removes the line\.$/,
  );
  const view = await startView(files.folder, "run.jsonl", "--label", "human.jsonl");
  expect((await ask(view.url)).status).toBe(200);
  expect(await view.end()).toBe(0);
  expect(await calibrated()).toMatchObject({ count: 1 });
});

it.each([
  ["nothing", "", ""],
  ["a label without a line feed", label("row-1"), `${label("row-1")}\n`],
])("adds to a file with %s", async (_, text, before) => {
  const human = join(files.folder, "human.jsonl");
  await writeFile(human, text);
  const view = await startView(files.folder, "run.jsonl", "--label", "human.jsonl");
  const headers = { origin: new URL(view.url).origin, "content-type": "application/json" };
  const body = JSON.stringify({ id: "row-2", repetition: 0, label: false });
  expect((await ask(`${view.url}labels`, { method: "POST", headers, body })).status).toBe(204);
  const after = await readFile(human, "utf8");
  expect([after.slice(0, before.length), JSON.parse(after.slice(before.length))]).toEqual([
    before,
    expect.objectContaining({ id: "row-2", label: false }),
  ]);
  expect(await view.end()).toBe(0);
});

it("labels the rows of an experiment that was written by hand, without repetitions", async () => {
  const [id, text] = ["row-1", "Lima"];
  const row = {
    example: { id, inputs: "Peru" },
    run: { id, outputs: text },
    evaluationResults: [],
    errors: [],
  };
  const experiment = { experimentName: "by hand", rows: [row], aggregates: {}, summaryResults: [] };
  await writeFile(join(files.folder, "hand.json"), JSON.stringify(experiment));
  const view = await startView(files.folder, "hand.json", "--label", "human.jsonl");
  const headers = { origin: new URL(view.url).origin, "content-type": "application/json" };
  const body = JSON.stringify({ id, label: true });
  expect((await ask(`${view.url}labels`, { method: "POST", headers, body })).status).toBe(204);
  expect(await files.labels()).toMatchObject([{ id, label: true }]);
  expect(await view.end()).toBe(0);
});
