/** A program for Bun and its worker in one file: prints the error of a call whose worker throws. */
import { serveEvaluators, startEvaluatorWorkers } from "openevals-wasm/evaluation";

if (globalThis.Bun.isMainThread) {
  const start = () => new Worker(import.meta.url, { type: "module" });
  const { evaluators, end } = await startEvaluatorWorkers(start, { count: 1 });
  await evaluators[0]({}).catch(({ code, message }) => console.log(`${code}: ${message}`));
  await end();
} else {
  serveEvaluators({
    throwsLater() {
      setTimeout(() => {
        throw new Error("boom\nand more");
      });
      return new Promise(() => {});
    },
  });
}
