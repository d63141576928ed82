/** Traces evaluations if LangSmith is installed. */

import { traceWith } from "../../tracing/hook.js";
import { attach as attachPackages } from "./packages.js";

export const attach = () => {
  attachPackages();
  traceWith(() => import("../../tracing/langsmith.js"));
};
