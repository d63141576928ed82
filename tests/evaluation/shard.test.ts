/** Shards: the part of the data that one of several machines evaluates. */
import { evaluate } from "openevals-wasm/evaluation";
import { describe, expect, it } from "vitest";

const rows = Array.from({ length: 7 }, (_, i) => ({ inputs: i, outputs: i }));
const isEven = ({ outputs }: { outputs: number }) => ({ key: "even", score: outputs % 2 === 0 });

describe("shard", () => {
  it("has every n-th row with all repetitions, and its progress counts these", async () => {
    const totals = new Set<number | undefined>();
    const { rows: found, shard } = await evaluate(undefined, {
      data: rows,
      evaluators: [isEven],
      shard: { index: 2, count: 3 },
      numRepetitions: 2,
      onProgress: ({ total }) => totals.add(total),
    });
    expect(found.map(({ example, run }) => [example.id, run.repetition])).toEqual([
      ["2", 0],
      ["2", 1],
      ["5", 0],
      ["5", 1],
    ]);
    expect(shard).toEqual({ index: 2, count: 3 });
    expect([...totals]).toEqual([4]);
  });

  it("works for iterables as for lists, and may be empty", async () => {
    async function* data() {
      yield* rows;
    }
    const ids = async (index: number, count: number) =>
      (await evaluate(undefined, { data: data(), shard: { index, count } })).rows.map(
        ({ example }) => example.id,
      );
    expect([await ids(1, 3), await ids(2, 3), await ids(3, 3)]).toEqual([
      ["1", "4", "7"],
      ["2", "5"],
      ["3", "6"],
    ]);
    expect(await ids(9, 9)).toEqual([]);
    expect((await evaluate(undefined, { data: rows })).shard).toBe(undefined);
  });

  it.each([
    { index: 0, count: 2 },
    { index: 3, count: 2 },
    { index: 1.5, count: 2 },
    { index: 1 },
    "1/2",
  ])("refuses %j", async (shard) => {
    await expect(evaluate(undefined, { data: rows, shard: shard as never })).rejects.toMatchObject({
      code: "invalid_config",
      message: expect.stringContaining("{ index, count }, of which index is a whole number from 1 to count"),
    });
  });
});
