/**
 * A process that locks files. For each path that it receives, it starts an experiment, reports whether it
 * `has` the file or is `refused`, and ends the experiment on request.
 */
import { evaluate } from "openevals-wasm/evaluation";

let end = () => {};
process.on("message", async ({ sink, ends }) => {
  if (ends) return end();
  let isIn = false;
  const target = () => {
    process.send({ state: "has" });
    isIn = true;
    return new Promise((resolve) => {
      end = () => resolve("done");
    });
  };
  try {
    await evaluate(target, { data: [{ inputs: 1 }], output: { sink, resume: true }, progress: false });
    process.send({ state: "ended" });
  } catch ({ code, message }) {
    process.send({ state: isIn ? "failed" : "refused", code, message });
  }
});
process.send({ state: "ready" });
