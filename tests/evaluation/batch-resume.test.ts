/** Processes that are killed with batches under way. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createLLMAsJudge } from "openevals-wasm";
import { type Experiment, evaluate } from "openevals-wasm/evaluation";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { BatchServer } from "../providers/servers/batches.js";
import type { Json } from "../providers/servers/loopback.js";
import { APIS, KEY } from "./batch-apis.js";
import { temporaryFolder } from "./folder.js";

const folder = temporaryFolder();
afterEach(() => vi.unstubAllEnvs());

describe.each(["openai", "anthropic", "google"] as const)("an experiment with batches of %s", (name) => {
  const { face, says, asked, env, model, submits } = APIS[name];
  const stateFile = join(folder, `${name}.json`);
  let server: BatchServer;
  let children: ChildProcess[];

  beforeEach(async () => {
    children = [];
    const answer = (body: Json) =>
      says(JSON.stringify({ reasoning: "So.", score: asked(body).includes("good") }), body);
    server = await BatchServer.start(face, { answer });
    server.isHeld = true;
    return async () => {
      for (const child of children) child.kill("SIGKILL");
      await server.down();
      rmSync(stateFile, { force: true });
    };
  });

  /** Starts the experiment in a process. */
  function begin(): { child: ChildProcess; experiment: Promise<Experiment | undefined> } {
    const child = spawn(process.execPath, [join(import.meta.dirname, "batch-process.mjs")], {
      env: { ...process.env, ...env(server.url), MODEL: model, STATE_FILE: stateFile },
      stdio: ["ignore", "pipe", "inherit"],
    });
    children.push(child);
    let output = "";
    child.stdout?.on("data", (data) => {
      output += data;
    });
    const experiment = new Promise<Experiment | undefined>((resolve) => {
      child.once("close", () => resolve(output ? JSON.parse(output) : undefined));
    });
    return { child, experiment };
  }

  /** The same without batches. */
  async function direct(): Promise<Experiment> {
    for (const [variable, value] of Object.entries(env(server.url))) vi.stubEnv(variable, value);
    const judge = (feedbackKey: string) =>
      createLLMAsJudge({ prompt: `Is {outputs} right? That is for ${feedbackKey}.`, model, feedbackKey });
    return evaluate(undefined, {
      data: ["good", "bad", "good again"].map((outputs) => ({ outputs })),
      evaluators: [judge("first"), judge("second")],
      numRepetitions: 2,
    });
  }

  it("continues the batches submitted before it was killed, also if the server was down meanwhile", async () => {
    const { child, experiment: none } = begin();
    await vi.waitFor(() => expect(server.count(/^GET/)).toBeGreaterThan(1), { timeout: 15_000 });
    child.kill("SIGKILL");
    expect(await none).toBeUndefined();
    const state = readFileSync(stateFile, "utf8");
    expect(state).not.toContain(KEY);
    expect(state).not.toContain("good");
    await server.down();
    await server.up();
    server.release();
    const experiment = await begin().experiment;
    const { aggregates, usage } = await direct();
    expect(experiment?.aggregates).toEqual(aggregates);
    expect(experiment?.usage).toEqual(usage);
    expect([server.count(submits), server.submitted]).toEqual([1, 12]);
    expect(existsSync(stateFile)).toBe(false);
  });

  it("finds a batch that was submitted just before it was killed", async () => {
    let first: ChildProcess | undefined;
    server.onRequest = ({ method, path }) => {
      if (!submits.test(`${method} ${path}`)) return undefined;
      first?.kill("SIGKILL");
      return "drop after";
    };
    const begun = begin();
    first = begun.child;
    expect(await begun.experiment).toBeUndefined();
    expect(server.batches).toHaveLength(1);
    server.release();
    const experiment = await begin().experiment;
    expect(experiment?.aggregates.first).toMatchObject({ count: 6, errors: 0 });
    expect([server.count(submits), server.submitted]).toEqual([1, 12]);
  });
});
