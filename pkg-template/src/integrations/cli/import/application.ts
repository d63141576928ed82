/** How experiments ask models, as source code. */

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
  if (key && !process.env[key]) throw new Error(\`No API key: set \${key}\`);
  const base = (urlFrom && process.env[urlFrom]) || url;
  const response = await fetch(\`\${base.replace(/\\/$/, "")}/chat/completions\`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(key && { authorization: \`Bearer \${process.env[key]}\` }),
    },
    body: JSON.stringify({ ...body, messages }),
  });
  if (!response.ok) throw new Error(\`\${response.status} \${await response.text()}\`);
  const answer = await response.json();
  const { message, finish_reason: reason } = answer?.choices?.[0] ?? {};
  const isMissing = typeof message?.content !== "string" && !message?.tool_calls?.length;
  if (isMissing || ["length", "content_filter"].includes(reason))
    throw new Error(\`No complete answer (finish_reason \${reason}): \${JSON.stringify(answer)}\`);
  return message;
}
`;
