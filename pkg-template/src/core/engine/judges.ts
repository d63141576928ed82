/** The engine of `openevals-judges.wasm`, which asks models. */

import { glue } from "../../openevals-judges.js";
import { Deadline } from "../platform/deadline.js";
import { Loader } from "./loader.js";
import { judges } from "./sources.js";

/** No request goes on, and no timer keeps the process alive, for an answer that no call waits for. */
export const judgesEngine = /* @__PURE__ */ new Loader(judges, glue, (held) => {
  if (held instanceof Deadline) held.cancel();
});
