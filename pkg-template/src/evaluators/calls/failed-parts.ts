/** Errors of evaluators that ask several judges: they have what all of these used. */

import { isOurs, reworded } from "../../core/errors.js";
import { type FailureMetadata, sumOfUsage } from "../../core/records/usage.js";

/** The error with the usage of all outcomes, which are results and errors. They include this error if it is of a judge. */
export function withUsageOf<Thrown>(thrown: Thrown, outcomes: readonly unknown[]): Thrown {
  const parts = outcomes.flat().flatMap((outcome) => {
    const { metadata } = Object(outcome) as { metadata?: FailureMetadata };
    return metadata?.usage == null ? [] : { metadata };
  });
  if (!isOurs(thrown) || parts.every(({ metadata }) => metadata === thrown.metadata)) return thrown;
  const usage = sumOfUsage(parts.map(({ metadata }) => metadata));
  return reworded(thrown, thrown.message, { metadata: { ...(usage && { usage }), parts } }) as Thrown;
}

/** As `Promise.all`. If one fails, waits for the others as well, and adds what they used to the error. */
export async function allAsked<Result>(asked: readonly Promise<Result>[]): Promise<Result[]> {
  try {
    return await Promise.all(asked);
  } catch (thrown) {
    throw await afterAll(thrown, asked);
  }
}

/** The error with the usage of all calls, once these have ended. */
export async function afterAll(thrown: unknown, asked: readonly Promise<unknown>[]): Promise<unknown> {
  const outcomes = await Promise.all(asked.map((call) => call.catch((error: unknown) => error)));
  return withUsageOf(thrown, outcomes);
}
