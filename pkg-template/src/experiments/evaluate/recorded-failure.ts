import { onUse } from "../../core/platform/on-use.js";
import type { Failure } from "../../core/records/types.js";
import { failureOf } from "../../evaluators/calls/plain.js";

/**
 * What a function of the user threw, as an experiment records it: without keys of the environment and keys in known formats,
 * because experiments and reports are shared.
 */
export async function recordedFailure(thrown: unknown): Promise<Failure> {
  const loading = onUse("The search for keys", () => import("../../core/input/keys.js"));
  const loaded = await loading.catch((error) => ({ error }));
  // Without the search, the error may contain keys; the other rows do not need it.
  if ("error" in loaded) return failureOf(loaded.error);
  const { hideKeys } = loaded;
  const clean = ({ message, cause, ...failure }: Failure): Failure => ({
    ...failure,
    message: hideKeys(message),
    ...(cause && { cause: clean(cause) }),
  });
  return clean(failureOf(thrown));
}
