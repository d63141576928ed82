/**
 * A process that wants a file. For each path that it is sent, it begins an experiment, says whether it `has` the file or is
 * `refused`, and ends the experiment when it is told to.
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
    await evaluate(target, { data: [{ inputs: 1 }], sink, resume: true, progress: false });
    process.send({ state: "ended" });
  } catch ({ code, message }) {
    process.send({ state: isIn ? "failed" : "refused", code, message });
  }
});
process.send({ state: "ready" });
