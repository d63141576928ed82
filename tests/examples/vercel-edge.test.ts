import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { edgeWith } from "../runtimes/edge-hosts.js";
import { install } from "./harness.js";

it("scores at the edge, where nothing can be compiled", async () => {
  const { folder } = await install("vercel-edge");
  // The wrapper of Vercel around a function.
  await writeFile(
    join(folder, "entry.js"),
    'import handler from "./api/score.js"; globalThis.handler = handler;',
  );
  const { vm, modules } = await edgeWith(folder, "entry.js");
  // JSON match asks a judge where it is given a rubric. The metrics and statistics are not deployed.
  expect(modules).toEqual(["openevals-judges.wasm", "openevals.wasm"]);

  async function post(body: object): Promise<{ status: number; answer: unknown }> {
    const request = `new Request("https://example.com/api/score", { method: "POST", body: ${JSON.stringify(JSON.stringify(body))} })`;
    return JSON.parse(
      await vm.evaluate(
        `handler(${request}).then(async (response) => JSON.stringify({ status: response.status, answer: await response.json() }))`,
      ),
    );
  }
  const outputs = { total: 120, currency: "EUR" };
  expect(await post({ outputs, referenceOutputs: { total: 210, currency: "EUR" } })).toEqual({
    status: 200,
    answer: {
      scores: [
        { key: "json_match:currency", score: 1 },
        { key: "json_match:total", score: 0, comment: "outputs.total is 120 instead of 210" },
      ],
      complete: false,
    },
  });
  expect(await post({ outputs, referenceOutputs: outputs })).toMatchObject({ answer: { complete: true } });
  expect(await post({ outputs })).toMatchObject({ status: 400, answer: { code: "invalid_input" } });
});
