/** Vertex AI: Gemini and Claude in a project, for those with a token; Gemini without one, for those with a key. */
import * as anthropic from "./anthropic.js";
import * as google from "./google.js";
import { type Json, type Loopback, type Recorded, type Refusal, startLoopback } from "./loopback.js";
import { bearer, isJSON, isObject } from "./rules.js";

export const PROJECT = "our-project";
export const LOCATION = "europe-west4";
/** A key of the express mode. */
export const EXPRESS_KEY = "AIzaSy4f1c0ffee4f1c0ffee";

/** Starts a server that takes this token for the project. */
export function startVertex(token: string): Promise<Loopback> {
  return startLoopback((request) => check(request, token));
}

function check({ method, path, headers, body }: Recorded, token: string): Refusal | undefined {
  const [, place = "", publisher, model = "", operation] =
    /^\/(?:v1|v1beta1)\/((?:projects\/[\w.:-]+\/locations\/[\w-]+\/)?)publishers\/(google|anthropic)\/models\/([\w.@-]+):(generateContent|rawPredict)$/.exec(
      path,
    ) ?? [];
  const known = operation === (publisher === "google" ? "generateContent" : "rawPredict");
  if (method !== "POST" || !known) return google.failure(404, `There is no ${method} ${path}`, "NOT_FOUND");
  const key = headers["x-goog-api-key"];
  const isInPlace = place === `projects/${PROJECT}/locations/${LOCATION}/`;
  const isExpress = place === "" && publisher === "google" && key === EXPRESS_KEY && !headers.authorization;
  if (!isExpress && (bearer(headers) !== token || key !== undefined))
    return google.failure(
      401,
      `Request had invalid authentication credentials: ${headers.authorization}${key}`,
      "UNAUTHENTICATED",
    );
  if (!isExpress && !isInPlace)
    return google.failure(403, `Permission denied on '${place}'`, "PERMISSION_DENIED");
  if (!isJSON(headers) || !isObject(body)) return google.failure(400, "Invalid JSON payload received.");
  return publisher === "google" ? geminiProblem(model, body) : claudeProblem(model, body);
}

function geminiProblem(model: string, body: Json): Refusal | undefined {
  if (!google.MODELS.includes(model))
    return google.failure(404, `Publisher Model ${model} was not found.`, "NOT_FOUND");
  const problem = google.bodyProblem(body);
  return problem ? google.failure(400, problem) : undefined;
}

const VERSIONS = ["vertex-2023-10-16", "2026-10-21"];

function claudeProblem(name: string, { anthropic_version: version, ...body }: Json): Refusal | undefined {
  if (!VERSIONS.includes(version))
    return anthropic.failure(400, `anthropic_version: "${version}" is not valid`);
  if ("model" in body) return anthropic.failure(400, "model: Extra inputs are not permitted");
  const model = anthropic.modelOf(name.replace("@", "-"));
  if (!model) return anthropic.failure(404, `Publisher Model ${name} was not found.`);
  const older = version === "vertex-2023-10-16";
  const problem = anthropic.bodyProblem(body, older ? "2023-06-01" : version, model);
  return problem ? anthropic.failure(400, problem) : undefined;
}
