/** Source code that asks a model, for imported experiments. */

/** The API of OpenAI. Judges read the same variables. */
export const OPENAI = {
  url: "https://api.openai.com/v1",
  urlFrom: "OPENAI_BASE_URL",
  key: "OPENAI_API_KEY",
};

export const MODEL_TYPE = `interface Model {
  url: string;
  /** Environment variables: of another address, and of the key. */
  urlFrom?: string;
  key?: string;
  body: object;
}

`;

export const ASK = `/** Asks a model with an API like OpenAI's. */
async function ask({ url, urlFrom, key, body }: Model, messages: object[]): Promise<any> {
  const secret = (key && process.env[key]?.trim()) ?? "";
  // fetch would quote characters that headers cannot have, and the key with them.
  if (key && !/^[!-~]+$/.test(secret)) throw new Error(\`No valid API key: set \${key}\`);
  const failure = (text: string) =>
    new Error((secret ? text.replaceAll(secret, "[key]") : text).slice(0, 1000));
  const base = (urlFrom && process.env[urlFrom]) || url;
  const response = await fetch(\`\${base.replace(/\\/$/, "")}/chat/completions\`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(key && { authorization: \`Bearer \${secret}\` }),
    },
    body: JSON.stringify({ ...body, messages }),
    signal: AbortSignal.timeout(300_000),
  });
  if (!response.ok) throw failure(\`\${response.status} \${await response.text()}\`);
  const answer = await response.json().catch(() => undefined);
  const { message, finish_reason: reason } = answer?.choices?.[0] ?? {};
  const isMissing = typeof message?.content !== "string" && !message?.tool_calls?.length;
  if (isMissing || ["length", "content_filter"].includes(reason))
    throw failure(\`No complete answer (finish_reason \${reason}): \${JSON.stringify(answer)}\`);
  return message;
}
`;
