import type { Signal } from "../../../core/platform/globals.js";
import { onUse } from "../../../core/platform/on-use.js";
import type { InScope } from "./experiment-signal.js";

/** Calls functions of the user so that models of judges find the signal: it also ends their requests. */
export async function scopeWith(signal: Signal | undefined): Promise<InScope> {
  if (!signal) return (call) => call();
  const { inScopeOf } = await onUse("The option signal", () => import("./experiment-scope.js"));
  return inScopeOf(signal);
}
