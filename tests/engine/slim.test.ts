import { readFile } from "node:fs/promises";
import { init, levenshteinDistance } from "openevals-wasm/slim";
import { expect, it, vi } from "vitest";

it.each<[unknown, string]>([
  [
    undefined,
    "The source of init is missing; it has to be the bytes of a binary, a WebAssembly.Module, or a promise",
  ],
  ["openevals.wasm", 'The source of init is "openevals.wasm"; it has to be'],
  [new URL("file:///a.wasm"), 'The source of init is "file:///a.wasm"; it has to be'],
  [new Map(), "The source of init is {}; it has to be"],
  [{ default: {} }, 'init has no option "default"; it has scores, judges, agents, metrics, statistics.'],
  [{ score: new Uint8Array() }, 'init has no option "score"; did you mean scores?'],
  [{ judges: "a.wasm" }, 'judges is "a.wasm"; it has to be the bytes of a binary'],
])("init(%o) says what it takes", (source, message) => {
  expect(() => init(source as never)).toThrow(
    expect.objectContaining({ code: "invalid_config", message: expect.stringContaining(message) }),
  );
});

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
