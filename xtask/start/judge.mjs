// The optional judge of `npm start`: OpenAI if there is a key, otherwise an Ollama on this machine.

const NONE = "No judge: set OPENAI_API_KEY, or start Ollama, to add one.";

/** Finds a judge for the questions: `{ evaluate, model }`, or `{ missing }` with the reason. */
export async function findJudge(openevals, env = process.env) {
  const { CORRECTNESS_PROMPT, createLLMAsJudge, initChatModel } = openevals;
  try {
    const { model, baseURL, missing } = await findModel(env);
    if (missing) return { missing };

    const evaluate = createLLMAsJudge({
      prompt: CORRECTNESS_PROMPT,
      judge: initChatModel(model, baseURL ? { baseURL } : {}),
      feedbackKey: "correctness",
    });
    return { evaluate, model };
  } catch (error) {
    return { missing: `No judge: ${error.message}` };
  }
}

async function findModel({ OPENEVALS_MODEL: wanted, OPENAI_API_KEY: key, OLLAMA_HOST: host }) {
  const baseURL = ollamaURL(host);
  if (wanted?.startsWith("ollama:")) return { model: wanted, baseURL };
  if (wanted) return { model: wanted };
  if (key) return { model: "openai:gpt-5.4" };

  const models = await ollamaModels(baseURL);
  if (!models) return { missing: NONE };
  // Skip embedding models, which cannot judge.
  const first = models.find((name) => !/embed/i.test(name));
  if (!first) return { missing: "No judge: Ollama has no model yet. Try: ollama pull llama3.3" };
  return { model: `ollama:${first}`, baseURL };
}

/** Reads OLLAMA_HOST as Ollama does: a host, a port, both, or a whole URL. */
export function ollamaURL(host) {
  if (!host) return "http://localhost:11434";
  const hasScheme = /^https?:\/\//.test(host);
  const address = hasScheme ? host : `http://${host.startsWith(":") ? "localhost" : ""}${host}`;
  if (!URL.canParse(address)) throw new Error(`OLLAMA_HOST is not an address: ${host}`);
  const url = new URL(address);
  if (!hasScheme && !/:\d+(?:\/|$)/.test(host)) url.port = "11434";
  // A wildcard address of a server cannot be connected to.
  if (url.hostname === "0.0.0.0" || url.hostname === "[::]") url.hostname = "localhost";
  return url.href.replace(/\/+$/, "");
}

async function ollamaModels(baseURL) {
  try {
    const response = await fetch(`${baseURL}/api/tags`, { signal: AbortSignal.timeout(700) });
    const { models } = await response.json();
    return models.map(({ name }) => name);
  } catch {
    return undefined; // nothing there, or a server other than Ollama
  }
}
