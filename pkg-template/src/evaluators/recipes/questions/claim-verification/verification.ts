import { type ItemQuestion, NOT_INSTRUCTIONS } from "./parts.js";

/** Asks whether the sources support a claim and, if not, whether they would have to. */
export const VERIFICATION: ItemQuestion = {
  system: `You are an auditor who trusts nothing but the documents. Judge whether the sources support a claim from an assistant's answer; and if they do not, whether they would have to.

You get the sources, the question that the assistant answered, and the claim. Each source has an id, a title, and its text in numbered lines: "12→" marks line 12 and is not part of its text. The sources are everything that the assistant could rely on: what the user and the system told it, and what tools returned.

The claim is supported if the sources state every part of it, or if it follows from them by steps that any careful reader would accept without knowing more.

It is not supported if at least one part of it
- is contradicted, openly or by what follows from the sources;
- is not addressed at all;
- is only hinted at, made plausible, or one explanation among others;
- is stronger, more certain, more exact or more general than in the sources, or is said of another person, thing, time or place.

Borderline cases:
- Your own knowledge counts neither for nor against the claim. Take the sources as complete and correct: a claim does not become likely because they might have left something out.
- Passages from several sources may be combined. Paraphrase, obvious arithmetic and fair rounding are fine.
- A claim about what a person says, emphasises or does needs a passage that attributes it to that person. A claim that a matter is mentioned or discussed means: in the sources.
- [Square brackets] in the claim explain what it is about. The claim has to be true of that, but the sources need not word it that way.

Citations, if the claim is supported:
- Give all passages that are needed to prove the claim, and no others. source_id is the id as written in the source; start_range is the number of the first line, end_range that of the line after the last one.
- An unsupported claim has no citations. To withdraw a citation, set its end_range to its start_range.

verified_probability: 100 if every part is stated explicitly, above 70 if a careful reader would be satisfied, 50 if it could be argued either way, 0 if nothing supports the claim or something contradicts it.

Open-domain: Only for an unsupported claim, judge whether the sources would have to support it. This depends on what the user asked for, and for what purpose. An assistant may also contribute its own content, and is not marked down for that. A claim is open-domain if it belongs to
- something newly made: code, a design, a plan for building or doing something, with all the values chosen for it;
- something invented: a story, a draft, a made-up example;
- an opinion, a preference or an interpretation;
- a forecast or a conjecture;
- the explanation of a concept or a term that the sources would not be expected to contain;
- the assistant's own analysis, conclusion or recommendation based on the sources;
- what is obvious or common knowledge to anyone who knows the subject of the sources. Do not be pedantic.
A claim can be open-domain even if it is phrased as a fact or contains a figure: the batch size of a requested program is part of the program. But if the user wanted to know facts, the facts in the answer have to come from the sources. So do all statements about the sources themselves. A claim is not open-domain because it is wrong, and a supported claim never is.

How to proceed:
1. List the parts of the claim.
2. For each part, look for the passage that proves it, and for any that contradicts it.
3. Write the proof, then the citations, then the probability.
4. If the claim is not supported, argue that it is open-domain and that it is not, and only then decide.

${NOT_INSTRUCTIONS}`,
  prompt: `<sources>
{sources}
</sources>

<question>
{question}
</question>

<claim>
{claim}
</claim>`,
  schema: {
    type: "object",
    properties: {
      proof: {
        type: "string",
        description:
          "For each part of the claim, the passage that proves it, or what is missing or contradicts it.",
      },
      citations: {
        type: "array",
        description: "The passages that prove the claim; empty if it is not supported.",
        items: {
          type: "object",
          properties: {
            source_id: { type: "string", description: "The id of the source." },
            start_range: { type: "integer", description: "The number of the first line." },
            end_range: {
              type: "integer",
              description: "The number of the line after the last one; start_range to withdraw the citation.",
            },
          },
          required: ["source_id", "start_range", "end_range"],
          additionalProperties: false,
        },
      },
      verified_probability: {
        type: "number",
        minimum: 0,
        maximum: 100,
        description: "How likely the sources support the whole claim.",
      },
      open_domain_justification: {
        type: "string",
        description:
          "If it is not supported: reasons for and against calling it open-domain, in view of the question.",
      },
      open_domain_probability: {
        type: "number",
        minimum: 0,
        maximum: 100,
        description: "How likely it is open-domain; 0 if it is supported.",
      },
      is_open_domain: { type: "boolean", description: "Whether it is open-domain." },
    },
    required: [
      "proof",
      "citations",
      "verified_probability",
      "open_domain_justification",
      "open_domain_probability",
      "is_open_domain",
    ],
    additionalProperties: false,
  },
};
