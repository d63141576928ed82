/** A failure that can be shared. Loaded on use. */

import { isOurs } from "../../core/errors.js";
import { hideKeys } from "../../core/input/keys.js";
import type { Failure } from "../../core/records/types.js";

/** The failure of what was thrown, without keys, and with the messages of a conversation that it ended. */
export function shareable(failure: Failure, thrown: unknown): Failure {
  const trajectory = isOurs(thrown) && copyOf(thrown.trajectory);
  return trajectory ? { ...withoutKeys(failure), trajectory } : withoutKeys(failure);
}

const withoutKeys = ({ message, cause, ...failure }: Failure): Failure => ({
  ...failure,
  message: hideKeys(message),
  ...(cause && { cause: withoutKeys(cause) }),
});

/** Messages as plain data; `undefined` if JSON cannot represent them. */
function copyOf(messages: Failure["trajectory"]): Failure["trajectory"] {
  try {
    return messages && JSON.parse(JSON.stringify(messages));
  } catch {
    return undefined;
  }
}
