/** @jest-environment jsdom */
import { exactMatch } from "openevals-wasm";

test("scores", async () => {
  expect(await exactMatch({ outputs: { a: "é" }, referenceOutputs: { a: "e" } })).toMatchObject({
    score: false,
  });
});
