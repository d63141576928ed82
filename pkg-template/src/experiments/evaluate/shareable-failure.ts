/** A failure that can be shared. Loaded on use. */

import { isOurs } from "../../core/errors.js";
import type { Failure } from "../../core/records/types.js";
import { failureWithoutKeys } from "../../evaluators/calls/without-keys.js";

/** The failure of what was thrown, without keys, and with the messages of a conversation that it ended. */
export function shareable(failure: Failure, thrown: unknown): Failure {
  const trajectory = isOurs(thrown) && copyOf(thrown.trajectory);
  const clean = failureWithoutKeys(failure);
  return trajectory ? { ...clean, trajectory } : clean;
}

/** Messages as plain data; `undefined` if JSON cannot represent them. */
function copyOf(messages: Failure["trajectory"]): Failure["trajectory"] {
  try {
    return messages && JSON.parse(JSON.stringify(messages));
  } catch {
    return undefined;
  }
}
