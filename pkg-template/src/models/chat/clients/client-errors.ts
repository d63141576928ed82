/** Answers and errors of clients of other packages, without their keys. */

import {
  isError,
  isOurs,
  OpenEvalsError,
  type OpenEvalsErrorCode,
  reasonOf,
  reworded,
} from "../../../core/errors.js";
import { whole } from "../../../core/input/counts.js";
import { keysIn } from "../../../core/input/secrets/keys.js";
import type { Secrets } from "../../../core/input/secrets/secrets.js";
import { memberOf, shownTexts } from "../../../core/input/secrets/shown-texts.js";
import { MAX_ANSWER_LENGTH } from "../../../core/platform/body.js";
import type { Completion } from "../../../openevals.types.js";
import { type AnswerForm, attemptsBefore } from "./client-answers.js";
import { redacted, secretsOf } from "./client-secrets.js";

/**
 * The completion without the keys of the client, which its server may have repeated. A key that the form of the answer contains,
 * such as `reasoning`, is an ordinary word of it.
 */
export async function withoutSecrets(
  completion: Completion,
  client: object,
  form: AnswerForm | undefined,
): Promise<Completion> {
  const words = JSON.stringify(form ?? {}).toLowerCase();
  const { secrets: found } = await secretsOf(client);
  const secrets = found.filter((secret) => !words.includes(secret.toLowerCase()));
  return secrets.length ? JSON.parse(await redacted(JSON.stringify(completion), secrets)) : completion;
}

/** The result of a call without the keys of the client, so that traces do not show them. */
export async function cleanly<T>(client: object, call: () => PromiseLike<T> | T): Promise<T> {
  let answer: T;
  try {
    answer = await call();
  } catch (thrown) {
    throw (await copyWithout(await secretsFor(thrown, client), thrown)) ?? thrown;
  }
  const { secrets } = await secretsOf(client);
  const text = JSON.stringify(answer) ?? "";
  const clean = await redacted(text, secrets);
  return clean === text ? answer : JSON.parse(clean);
}

/** The keys of a client, and those that its error may show: those of the environment, and those in known formats. */
async function secretsFor(thrown: unknown, client: object): Promise<Secrets> {
  const found = await secretsOf(client, true);
  return {
    ...found,
    secrets: [...found.secrets, ...keysIn(shownTexts(thrown).text)].sort((a, b) => b.length - a.length),
  };
}

/** A copy of the error without these keys; `undefined` if it contains none, as far as it can be searched. */
async function copyWithout(
  { secrets, private: words }: Secrets,
  thrown: unknown,
): Promise<Error | undefined> {
  const { text, isWhole } = shownTexts(thrown);
  if (isWhole && (await redacted(text, secrets)) === text) return undefined;
  const clean = (text: unknown) => redacted(String(text), [...secrets, ...words]);
  const error = new Error(await clean(reasonOf(thrown))) as Error & Record<string, unknown>;
  for (const name of ["name", "request_id", "status", "statusCode"]) {
    const value = memberOf(thrown, name);
    if (typeof value === "number") error[name] = value;
    if (typeof value === "string") error[name] = await clean(value);
  }
  return error;
}

/** Throws the error of a function that is a model, without keys: those of the environment, and those in known formats. */
export async function rethrow(thrown: unknown): Promise<never> {
  const found = { secrets: keysIn(shownTexts(thrown).text), private: [] };
  const copy = await copyWithout(found, thrown);
  if (!copy || !isOurs(thrown)) throw copy ?? thrown;
  const { message, cause } = thrown;
  throw reworded(thrown, await redacted(message, found.secrets), {
    cause: (await copyWithout(found, cause)) ?? cause,
  });
}

/** The error for one of a client: with its code and message, without the keys of the client. */
export async function failureOf(cause: unknown, client: object, name: string): Promise<OpenEvalsError> {
  const found = await secretsFor(cause, client);
  const clean = (text: string) => redacted(text, [...found.secrets, ...found.private]);
  const [status, requestId] = [
    memberOf(cause, "statusCode") ?? memberOf(cause, "status"),
    memberOf(cause, "request_id"),
  ];
  const code = OpenEvalsError.isInstance(cause) ? cause.code : codeOf(kindOf(cause), status);
  const attempts = attemptsBefore(cause);
  return new OpenEvalsError(code, `The ${name} failed: ${await clean(reasonOf(cause))}`, {
    cause: (await copyWithout(found, cause)) ?? cause,
    ...(isStatus(status) && { status }),
    ...(attempts !== undefined && { attempts }),
    ...(isStatus(status) &&
      typeof requestId === "string" &&
      requestId && { requestId: (await clean(requestId)).slice(0, 300) }),
  });
}

const isStatus = (status: unknown): status is number =>
  Number.isInteger(status) && (status as number) >= 100 && (status as number) < 600;

/** The error for an answer that is too long for the engine. */
export function tooLong(answer: string): OpenEvalsError {
  const [size, limit] = [answer.length, MAX_ANSWER_LENGTH].map(whole);
  return new OpenEvalsError(
    "invalid_judge_output",
    `The judge answered with ${size} characters; the limit is ${limit}. Ask for a shorter answer.`,
    { raw: answer.slice(0, 1000), attempts: 1 },
  );
}

/** The name of an error and of its class: minifiers and some packages keep only one of them. */
export function kindOf(error: unknown): string {
  const name = memberOf(memberOf(error, "constructor"), "name");
  return isError(error) ? `${memberOf(error, "name")} ${name}` : "";
}

function codeOf(kind: string, status: unknown): OpenEvalsErrorCode {
  if (status === 429) return "rate_limited";
  if (/timeout/i.test(kind)) return "timeout";
  if (/abort/i.test(kind)) return "aborted";
  if (/ContentFilter|Refus/.test(kind)) return "refused";
  return status !== undefined || /API|Connection/.test(kind) ? "provider_error" : "callback_failed";
}
