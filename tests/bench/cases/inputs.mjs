/** The inputs of the cases, which are the same on every run. */

const WORDS =
  "the quick brown fox jumps over a lazy dog while seven wizards mix nine potions for the king ".split(" ");

/** Two texts of one length of which about every twentieth character differs. */
export function nearlyEqualTexts(length) {
  let text = "";
  for (let i = 0; text.length < length; i++) text += `${WORDS[(i * 7) % WORDS.length]} `;
  const outputs = text.slice(0, length);
  const referenceOutputs = [...outputs].map((letter, i) => (i % 20 === 7 ? "#" : letter)).join("");
  return { outputs, referenceOutputs };
}

/** Random numbers below a limit (Lehmer's generator). */
function randomNumbers() {
  let seed = 1;
  return (below) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
}

/** Sentences of 8 to 20 words, and a paraphrase of each. */
export function sentencePairs(count) {
  const random = randomNumbers();
  const word = () => WORDS[random(WORDS.length - 1)];
  return Array.from({ length: count }, () => {
    const words = Array.from({ length: 8 + random(13) }, word);
    const others = [...words];
    for (let change = random(5); change > 0; change--) {
      const place = random(others.length);
      if (change % 2) others.splice(place, 1, word());
      else others.splice(random(others.length), 0, ...others.splice(place, 2));
    }
    return [words, others].map((text) => `${text.join(" ")}.`);
  });
}

/**
 * Queries with 20 found documents, each with its own score, and 5 to 15 judged ones, of which some were
 * found.
 */
export function rankedQueries(count) {
  const random = randomNumbers();
  const id = () => `doc-${random(100_000)}`;
  return Array.from({ length: count }, () => {
    const judged = { [id()]: 1 + random(3) };
    for (let left = 4 + random(11); left > 0; left--) judged[id()] = random(4);
    const found = new Set(Object.keys(judged).filter(() => random(3) > 0));
    while (found.size < 20) found.add(id());
    const order = [...found].map((id) => [id, random(1_000_000)]).sort(([, a], [, b]) => a - b);
    const scores = order.map(([id], place) => [id, 1 - (place + random(1_000) / 1_000) / order.length]);
    return [scores.sort(([a], [b]) => (a < b ? -1 : 1)), judged];
  });
}

export function largeObject(keys) {
  return Object.fromEntries(
    Array.from({ length: keys }, (_, i) => [`key ${i}`, { id: i, name: `name ${i}`, on: i % 2 === 0 }]),
  );
}

/** A record of ten keys as an extraction task would give it. */
export function jsonRecord(i) {
  return {
    id: i,
    name: `Customer ${i}`,
    email: `customer${i}@example.com`,
    age: 20 + (i % 60),
    active: i % 3 === 0,
    status: ["new", "open", "closed"][i % 3],
    city: ["Rome", "Oslo", "Lima", "Pune"][i % 4],
    tags: ["a", "b", "c"].slice(i % 3),
    address: { street: `Street ${i % 50}`, number: i % 200 },
    note: null,
  };
}

export function jsonList(length) {
  return Array.from({ length }, (_, i) => jsonRecord(i));
}

/** A question, then calls that are each answered, in OpenAI's form; `respelled`: equal, but not the same text. */
export function trajectory(calls, { respelled = false } = {}) {
  const messages = [{ role: "user", content: "Find me something." }];
  for (let i = 0; i < calls; i++) {
    const args = { query: `item ${i}`, limit: 10, filters: { inStock: true, page: i } };
    const text = JSON.stringify(respelled ? Object.fromEntries(Object.entries(args).reverse()) : args);
    const id = `call_${i}`;
    messages.push({
      role: "assistant",
      content: "",
      tool_calls: [{ id, type: "function", function: { name: "search", arguments: text } }],
    });
    messages.push({ role: "tool", tool_call_id: id, content: "Found." });
  }
  return messages;
}

/** A fixed shuffle (Fisher–Yates with a small generator), so that every run measures the same order. */
export function shuffled(list) {
  const result = [...list];
  let state = 12_345;
  for (let i = result.length - 1; i > 0; i--) {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    const j = state % (i + 1);
    [result[i], result[j]] = [result[j], result[i]];
  }
  return result;
}

/** The same entries in another order. */
export function reversed(object) {
  return Object.fromEntries(Object.entries(object).reverse());
}

/** A question and an immediate answer, so that only the work of the library is measured. */
export const judgement = {
  prompt: `Compare the answer with the reference.
<question>{inputs}</question>
<answer>{outputs}</answer>
<reference>{reference_outputs}</reference>`,
  input: {
    inputs: { question: "What is the capital of France?" },
    outputs: { answer: "Paris, on the Seine." },
    referenceOutputs: { answer: "Paris" },
  },
  completion: completionOf("Same."),
};

/** An answer of a judge in the form of OpenAI's chat completions. */
export function completionOf(reasoning) {
  const message = { role: "assistant", content: JSON.stringify({ reasoning, score: true }) };
  return {
    id: "stub",
    object: "chat.completion",
    model: "stub",
    choices: [{ index: 0, finish_reason: "stop", message }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  };
}

/** The reasoning of a usual judge, and a key of usual length, which no text may show. */
export const usual = {
  reasoning: "The answer names the capital as the reference does, and adds a river that is right. ".repeat(8),
  key: `key-${"aB3dE5gH7jK9mN1pQ3sT5vX7zA".repeat(6)}`,
};

/** A stub with the shape of an OpenAI client, without a network. */
export const stubClient = (completion = judgement.completion) => ({
  chat: { completions: { create: async () => completion } },
});
