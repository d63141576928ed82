/** The engine of `openevals-judges.wasm`, which asks models. */

import { glue } from "../../openevals-judges.js";
import { Deadline } from "../platform/deadline.js";
import { Loader } from "./loader.js";
import { judges } from "./sources.js";

/** Ends requests and timers whose result no call waits for, so that they do not keep the process alive. */
export const judgesEngine = /* @__PURE__ */ new Loader(judges, glue, (held) => {
  if (held instanceof Deadline) held.cancel();
});
