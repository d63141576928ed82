import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { examples, install, runScript } from "./harness.js";

it.each([{ CI: "1" }, {}])("passes without a key, and asks no one, with %j", async (env) => {
  const { folder } = await install("agent-ci");
  const requests = join(folder, "requests.txt");
  await rm(requests, { force: true });
  const NODE_OPTIONS = `--import=${join(import.meta.dirname, "watch-requests.mjs")}`;
  expect(await runScript(folder, ["test"], { ...env, NODE_OPTIONS, REQUESTS: requests })).toContain(
    "3 passed",
  );
  await expect(readFile(requests, "utf8")).rejects.toThrow("ENOENT");
  const file = "evals/recordings/shop.jsonl";
  expect(await readFile(join(folder, file), "utf8")).toBe(
    await readFile(join(examples, "agent-ci", file), "utf8"),
  );
});

it.each<[string, string, string, RegExp]>([
  [
    "policy",
    '    ["find_order", { order: 4711 }],\n    ["refund"',
    '    ["refund"',
    /refund is called before a call of find_order has succeeded/,
  ],
  [
    "recording",
    'refund", { order: 4711',
    'refund", { order: 4712',
    /shop\.jsonl has no recording of refund\(\{"order":4712\}\)/,
  ],
  ["state", "?? 0) + 30", "?? 0) + 31", /paid.*4711.* is 31 instead of 30/],
])("fails for its %s", async (name, from, to, message) => {
  const changes: Record<string, [string, string]> = { "evals/agent.test.ts": [from, to] };
  const { folder } = await install("agent-ci", { as: `agent-ci-${name}`, changes });
  await expect(runScript(folder, ["test"], { CI: "1" })).rejects.toThrow(message);
});
