import { OpenEvalsError } from "openevals-wasm";
import { expect } from "vitest";

/** The error that a promise rejects with, which has to be an `OpenEvalsError`. */
export async function errorOf(promise: Promise<unknown>): Promise<OpenEvalsError> {
  const error = await promise.then(
    (value) => expect.unreachable(`resolved to ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(OpenEvalsError);
  return error as OpenEvalsError;
}
