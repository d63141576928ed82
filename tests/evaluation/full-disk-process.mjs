/** An experiment with a limit on file sizes, as on a full disk. Its messages go to standard output. */
import { directoryCache, evaluate } from "openevals-wasm/evaluation";

const { SINK: sink, CACHE: folder, STATE: stateFile } = process.env;
const said = [];
if (sink) {
  const data = Array.from({ length: 500 }, (_, index) => ({ inputs: `question ${index}` }));
  await evaluate((input) => input, { data, output: { sink, resume: true }, progress: false }).catch((error) =>
    said.push(error),
  );
}
if (folder)
  await directoryCache(folder)
    .set("some", "answer")
    .catch((error) => said.push(error));
if (stateFile) {
  const options = { data: [{ inputs: 1 }], judges: { mode: "batch", batch: { stateFile } }, progress: false };
  await evaluate((input) => input, options).catch((error) => said.push(error));
}
const shown = ({ rowCount, rows } = {}) => ({ rowCount, lost: rows?.map(({ example }) => example.id) });
console.log(
  JSON.stringify(said.map(({ code, message, experiment }) => ({ code, message, ...shown(experiment) }))),
);
