/** Azure OpenAI: one resource with deployments of reasoning models, through its newer API and its older one. */
import { chatProblem, type Dialect } from "./chat-completions.js";
import { embeddingsProblem } from "./embeddings.js";
import { type Loopback, type Recorded, type Refusal, type Step, startLoopback } from "./loopback.js";
import { OPENAI, reasoningProblem } from "./openai.js";
import { OPENAI_RESPONSES, responsesProblem } from "./responses.js";
import { bearer, isJSON } from "./rules.js";

/** The name of the deployment: it does not tell which model it is. */
export const DEPLOYMENT = "our-judge";

/** One of a model that only responses have, under the model's name, as Azure proposes. */
export const RESPONSES_DEPLOYMENT = "gpt-5-pro";

const AZURE: Dialect = { ...OPENAI, others: (body) => reasoningProblem({ ...body, model: "gpt-5.4" }) };

/** Starts a resource with this key. */
export function startAzure(key: string): Promise<Loopback> {
  return startLoopback((request) => check(request, key));
}

/** An error in Azure's form. */
export function failure(status: number, message: string, code = String(status)): Step & Refusal {
  const headers = { "apim-request-id": "b1946ac9", "x-request-id": "req_7c1f" };
  return { status, headers, body: JSON.stringify({ error: { code, message } }) };
}

function check({ method, path, headers, body }: Recorded, key: string): Refusal | undefined {
  const { pathname, searchParams } = new URL(path, "http://localhost");
  const [, isNewer, inPath, operation] =
    /^\/openai(\/v1)?(?:\/deployments\/([^/]+))?\/(chat\/completions|embeddings|responses)$/.exec(pathname) ??
    [];
  const version = searchParams.get("api-version");
  // The older API needs a version, the newer one takes only `preview`. Responses have no deployment in the
  // path in either.
  const isInPath = operation === "responses" ? !inPath : isNewer ? !inPath : inPath;
  const known = isInPath && (isNewer ? !version : /^20\d\d-\d\d-\d\d(-preview)?$/.test(version ?? ""));
  if (method !== "POST" || !known) return failure(404, "Resource not found");
  if ((headers["api-key"] ?? bearer(headers)) !== key)
    return failure(401, `Access denied due to invalid subscription key ${headers["api-key"]}`);
  if (!isJSON(headers)) return failure(400, "The body must be JSON");
  // The older API takes the deployment from the path and does not look at the model.
  const request = inPath && body ? { ...body, model: inPath } : body;
  const problem =
    operation === "embeddings"
      ? embeddingsProblem(request)
      : operation === "responses"
        ? responsesProblem(request, OPENAI_RESPONSES)
        : chatProblem(request, AZURE);
  if (problem) return failure(400, problem, "invalid_request_error");
  if (operation === "chat/completions" && request.model === RESPONSES_DEPLOYMENT) {
    const message = `The chatCompletion operation does not work with the specified model, ${request.model}.`;
    return failure(400, message, "OperationNotSupported");
  }
  if (request.model === DEPLOYMENT || request.model === RESPONSES_DEPLOYMENT) return undefined;
  return failure(404, "The API deployment for this resource does not exist.", "DeploymentNotFound");
}
