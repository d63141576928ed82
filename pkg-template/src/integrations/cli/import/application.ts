/** How experiments ask models, as source code. */

export const MODEL_TYPE = `interface Model {
  url: string;
  key?: string;
  body: object;
}

`;

export const ASK = `/** Asks a model with an API like OpenAI's. */
async function ask({ url, key, body }: Model, messages: object[]): Promise<string> {
  const response = await fetch(\`\${url}/chat/completions\`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(key && { authorization: \`Bearer \${process.env[key]}\` }),
    },
    body: JSON.stringify({ ...body, messages }),
  });
  if (!response.ok) throw new Error(\`\${response.status} \${await response.text()}\`);
  const { choices } = await response.json();
  return choices[0].message.content;
}
`;
