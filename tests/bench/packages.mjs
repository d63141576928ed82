/** The measured packages. Imported on demand, so that a process has nothing loaded but its own side. */

/** Our tarball, as `npm test` and `npm run bench` unpack it into tests/node_modules. */
export const ours = () => import("openevals-wasm");
export const reference = () => import("../parity/node_modules/openevals/index.js");
export const autoevals = () => import("autoevals");

/** The place where a separate script finds the packages. */
export const FOLDERS = {
  ours: new URL(".", import.meta.url),
  reference: new URL("../parity/", import.meta.url),
  autoevals: new URL(".", import.meta.url),
};

/** The environment without variables that turn tracing on or off, or change the behaviour of Node. */
export const environment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(LANGSMITH|LANGCHAIN|NODE_OPTIONS)/.test(name)),
);
