/** The module of a worker that sends its own messages, and has results and errors that cannot be cloned. */
import { once } from "node:events";
import { parentPort, workerData } from "node:worker_threads";
import { OpenEvalsError } from "openevals-wasm";
import { serveEvaluators } from "openevals-wasm/evaluation";

const MESSAGES = [
  { progress: 1 },
  null,
  undefined,
  5,
  "hello",
  [],
  { evaluators: 5 },
  { evaluators: ["another"] },
  { result: { key: "wrong", score: 0 } },
  { failure: null },
  { openevals: 1 },
  { openevals: 0, evaluators: 5 },
  { openevals: 1_000, result: { key: "wrong", score: 0 } },
  { openevals: 1_000, failure: { name: "Error", message: "wrong" } },
];
const talk = () => {
  for (const message of MESSAGES) parentPort.postMessage(message);
};

if (workerData === "short-lived") await once(parentPort, "message");
else parentPort.on("message", (message) => message === "die" && process.exit(3));

talk();
serveEvaluators({
  async talks({ inputs }) {
    talk();
    // A message after the answer belongs to no call, or to the next one.
    setTimeout(talk);
    return { key: "row", score: inputs.row };
  },
  never: () => new Promise(() => {}),
  returnsFunction: () => ({ key: "row", score: 1, metadata: { f() {} } }),
  throwsFunction() {
    throw new OpenEvalsError("refused", "No.", { raw: () => 1 });
  },
  dies: () => process.exit(3),
  waits: () => new Promise(() => {}),
});
if (workerData === "short-lived") setTimeout(() => process.exit(4));
