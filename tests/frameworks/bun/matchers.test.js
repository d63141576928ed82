import { expect, test } from "bun:test";
import "openevals-wasm/vitest";

test("passes", async () => {
  await expect({ outputs: "4" }).toPassEvaluator(() => ({ key: "polite", score: true }));
});

test("fails", async () => {
  await expect({ outputs: "NO" }).not.toPassEvaluator(() => ({ key: "polite", score: false }));
});
