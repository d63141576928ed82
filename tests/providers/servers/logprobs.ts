/** Probabilities of tokens, in the forms that APIs have for them. */
import type { Json, Step } from "./loopback.js";
import { message, outputText, response } from "./responses.js";

/** Tokens by their probabilities. */
export type Likely = Record<string, number>;

interface Token {
  token: string;
  logprob: number;
  bytes: number[];
  top_logprobs: Omit<Token, "top_logprobs">[];
}

const entry = (token: string, probability: number) => ({
  token,
  // The log probability of tokens that are less likely than all reported ones.
  logprob: probability > 0 ? Math.log(probability) : -9999,
  bytes: [...Buffer.from(token)],
});

/**
 * The tokens of a text: numbers, words with the space before them, and signs. At the position of the score,
 * these were likely.
 */
export function tokensOf(text: string, likely: Likely): Token[] {
  const tokens = text.match(/\d{1,3}| ?[A-Za-z]+|[^\sA-Za-z\d]+|\s+/g) ?? [];
  const score = tokens.findIndex((token) => /^\d/.test(token));
  return tokens.map((token, place) => {
    const all: Likely = place === score ? likely : { [token]: 1 };
    const top_logprobs = Object.entries(all)
      .map(([token, probability]) => entry(token, probability))
      .sort((a, b) => b.logprob - a.logprob);
    return { ...entry(token, all[token] ?? 0), top_logprobs };
  });
}

/** The problem of a request for probabilities. */
export function logprobsProblem({ logprobs, top_logprobs: top, model }: Json): string | undefined {
  if (logprobs === undefined && top === undefined) return undefined;
  if (typeof logprobs !== "boolean") return "Invalid type for 'logprobs': expected a boolean.";
  if (/^(o\d|gpt-5$|gpt-5-)/.test(model)) return "You are not allowed to request logprobs from this model";
  if (top === undefined) return undefined;
  if (!logprobs) return "'top_logprobs' needs 'logprobs' to be true.";
  if (Number.isInteger(top) && top >= 0 && top <= 20) return undefined;
  return `Invalid value for 'top_logprobs': ${top} is not from 0 to 20.`;
}

/** An answer of chat completions with its probabilities. */
export function toldBy(step: Step, likely: Likely): Step {
  return changed(step, (body) => {
    for (const choice of body.choices)
      choice.logprobs = { content: tokensOf(choice.message.content, likely), refusal: null };
  });
}

/** The same of the Responses API. */
export const toldByResponses = (text: string, likely: Likely): Step =>
  response([message([{ ...outputText(text), logprobs: tokensOf(text, likely) }])], { model: "gpt-4.1" });

/** The same of Gemini. */
export const toldByGoogle = (step: Step, text: string, likely: Likely): Step =>
  changed(step, (body) => {
    const named = ({ token, logprob }: { token: string; logprob: number }) => ({
      token,
      tokenId: token.charCodeAt(0),
      logProbability: logprob,
    });
    const tokens = tokensOf(text, likely);
    body.candidates[0].avgLogprobs = -0.1;
    body.candidates[0].logprobsResult = {
      chosenCandidates: tokens.map(named),
      topCandidates: tokens.map(({ top_logprobs }) => ({ candidates: top_logprobs.map(named) })),
    };
  });

/** The same of Ollama. */
export const toldByOllama = (step: Step, text: string, likely: Likely): Step =>
  changed(step, (body) => {
    body.logprobs = tokensOf(text, likely);
  });

/** An answer with another body. */
export function changed(step: Step, change: (body: Json) => void): Step {
  if (!("body" in step)) return step;
  const body = JSON.parse(String(step.body));
  change(body);
  return { ...step, body: JSON.stringify(body) };
}
