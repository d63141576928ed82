import { cp, mkdtemp, readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { install, runScript } from "./harness.js";

it("the bundle alone scores a batch, and returns rows that cannot be scored", async () => {
  const { folder } = await install("lambda", { build: ["build"] });
  expect(await readdir(join(folder, "dist"))).toEqual(["handler.mjs"]);
  // It runs without its sources and dependencies.
  const deployed = await mkdtemp(join(tmpdir(), "openevals-wasm-lambda-"));
  for (const name of ["dist", "event.json", "invoke.mjs", "package.json"])
    await cp(join(folder, name), join(deployed, name), { recursive: true });

  const said = await runScript(deployed, ["invoke"]);
  const lines = said
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line));
  const metrics = lines.filter(({ _aws }) => _aws);
  expect(metrics.map(({ model, accuracy }) => [model, accuracy])).toEqual([
    ["small", 1],
    ["small", 0.5],
  ]);
  expect(metrics[0]._aws.CloudWatchMetrics[0].Metrics).toEqual([{ Name: "accuracy" }]);
  expect(lines.at(-1)).toEqual({ batchItemFailures: [{ itemIdentifier: "broken" }] });
});
