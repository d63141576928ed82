/** The line format of trajectories. A test of the engine reads the same file: `src/trajectory/tests.rs`. */
import { createTrajectoryMatchEvaluator } from "openevals-wasm";
import { expect, it } from "vitest";
import fixture from "./trajectory-lines.json";

/** The arguments of engine functions: every range of memory that two numbers may denote. */
const crossed: string[] = [];

function watched({ exports }: WebAssembly.Instance): WebAssembly.Instance {
  const { memory } = Object.fromEntries(
    Object.values(exports)
      .filter((it) => it instanceof WebAssembly.Memory)
      .map((memory) => ["memory", memory]),
  );
  const watch = (call: (...args: unknown[]) => unknown) => {
    return (...args: unknown[]) => {
      args.forEach((start, index) => {
        const length = args[index + 1];
        if (typeof start !== "number" || typeof length !== "number" || !memory) return;
        const bytes = new Uint8Array(memory.buffer).subarray(start, start + Math.min(length, 10_000));
        crossed.push(new TextDecoder().decode(bytes));
      });
      return call(...args);
    };
  };
  const entries = Object.entries(exports).map(([name, it]) => {
    return [name, typeof it === "function" ? watch(it as (...args: unknown[]) => unknown) : it];
  });
  return { exports: Object.fromEntries(entries) };
}

it("are those that the engine reads", async () => {
  const instantiate = WebAssembly.instantiate as (...args: unknown[]) => Promise<object>;
  WebAssembly.instantiate = (async (...args: unknown[]) => {
    const made = await instantiate(...args);
    if (!("instance" in made)) return watched(made as WebAssembly.Instance);
    return { ...made, instance: watched(made.instance as WebAssembly.Instance) };
  }) as typeof WebAssembly.instantiate;
  const evaluate = createTrajectoryMatchEvaluator();
  const [user] = fixture.trajectory;
  await evaluate({ outputs: fixture.trajectory as never, referenceOutputs: [user] as never });
  expect(crossed).toContain([...fixture.lines, 'm"user"', ""].join("\n"));
});
