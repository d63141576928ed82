import { readFile } from "node:fs/promises";
import { init, levenshteinDistance } from "openevals-wasm/slim";
import { expect, it, vi } from "vitest";

it("starts the engine once, even if init() is called again while it loads", async () => {
  const instantiate = vi.spyOn(WebAssembly, "instantiate");
  const bytes = await readFile(new URL(import.meta.resolve("openevals-wasm/openevals.wasm")));
  let arrive: (value: typeof bytes) => void = () => {};
  init(
    new Promise<typeof bytes>((resolve) => {
      arrive = resolve;
    }),
  );
  const first = levenshteinDistance("ab", "ac");
  init(bytes);
  const second = levenshteinDistance("ab", "cd");
  arrive(bytes);
  expect((await Promise.all([first, second])).map(({ score }) => score)).toEqual([0.5, 0]);
  expect(instantiate).toHaveBeenCalledTimes(1);
});
