/** Texts of any length reach the engine unchanged: it copies them into its memory in two ways. */
import { createCodeLLMAsJudge, levenshteinDistance } from "openevals-wasm";
import { expect, it } from "vitest";

const KINDS = {
  ASCII: "The quick brown fox, ",
  umlauts: "Grüße aus Köln, ß, ",
  "a late umlaut": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaü",
  "three bytes": "中国最长的河流",
  emoji: "ok 👍🏽 und 🎉 ",
  controls: "\u0000\u007f\u0080\u07ff\u0800\uffff",
  "half pairs": "a\ud83d\udc4d\ud83db\udc4d",
};
const LENGTHS = [...Array.from({ length: 40 }, (_, length) => length), 100, 1000, 5000];

/** Texts of a kind, of all lengths; some split a surrogate pair. */
const textsOf = (kind: string) => LENGTHS.map((length) => kind.repeat(length).slice(0, length));

it.each(Object.entries(KINDS))("code in %s comes back", async (_, kind) => {
  for (const text of textsOf(kind)) {
    let asked = "";
    const judge = createCodeLLMAsJudge({
      prompt: "<code>{outputs}</code>",
      codeExtractionStrategy: "markdown_code_blocks",
      judge: ({ messages }) => {
        asked = messages.map(({ content }) => content).join();
        return { score: true, reasoning: "" };
      },
    });
    await judge({ inputs: "", outputs: `\`\`\`ts\nx${text}x\n\`\`\`` });
    expect(asked).toContain(`<code>x${text}x\n</code>`);
  }
});

it.each(Object.entries(KINDS))("of %s, one character more is one more", async (_, kind) => {
  for (const text of textsOf(kind)) {
    const { score } = await levenshteinDistance({ outputs: `${text}\n`, referenceOutputs: text });
    expect(score).toBeCloseTo(1 - 1 / (text.length + 1), 12);
  }
});
