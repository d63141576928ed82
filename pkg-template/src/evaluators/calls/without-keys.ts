/** Errors without keys of the environment and keys in known formats, because records are shared. */

import { type OpenEvalsError, reworded } from "../../core/errors.js";
import { hideSecrets } from "../../core/input/secrets/hide-secrets.js";
import { hideKeys, keysIn } from "../../core/input/secrets/keys.js";
import { shownTexts } from "../../core/input/secrets/shown-texts.js";
import type { Failure } from "../../core/records/types.js";
import { failureOf } from "./plain.js";

/** A copy of the failure without keys. */
export function failureWithoutKeys(failure: Failure): Failure {
  const text = textOf(failure);
  // Most keys are not in it, and finding them once is faster than replacing them in each part.
  const keys = keysIn(text).filter((key) => text.includes(key));
  return withoutThese(keys, failure);
}

/** A copy of the error without keys; the same error if it has none, as far as it can be searched. */
export function errorWithoutKeys(error: OpenEvalsError): OpenEvalsError {
  const { text, isWhole } = shownTexts(error);
  if (isWhole && hideKeys(text) === text) return error;
  const { message, cause } = failureWithoutKeys(failureOf(error));
  return reworded(error, message, { cause: cause && errorOf(cause) });
}

const textOf = ({ name, code, message, cause }: Failure): string =>
  [name, code, message, cause && textOf(cause)].join("\n");

function withoutThese(keys: readonly string[], { name, code, message, cause, ...failure }: Failure): Failure {
  return {
    ...failure,
    name: hideSecrets(name, keys),
    message: hideSecrets(message, keys),
    ...(code !== undefined && { code: hideSecrets(code, keys) }),
    ...(cause && { cause: withoutThese(keys, cause) }),
  };
}

function errorOf({ name, message, code, cause }: Failure): Error {
  const error = new Error(message, cause && { cause: errorOf(cause) });
  return Object.assign(error, { name, ...(code !== undefined && { code }) });
}
