/** The engine of `openevals-judges.wasm`, which asks models. */

import { glue } from "../../openevals-judges.js";
import { Deadline } from "../platform/deadline.js";
import { Loader } from "./loader.js";
import { judges } from "./sources.js";

export const judgesEngine = /* @__PURE__ */ new Loader(judges, glue, (held) => {
  // Requests and timers whose result no call waits for would keep the process alive.
  if (held instanceof Deadline) held.cancel();
});
