import type { Example } from "../../bench.js";

export const EXAMPLES: Example[] = [
  {
    name: "Correctness",
    state: {
      prompt: "CORRECTNESS_PROMPT",
      inputs: "Who painted Las Meninas, and when?",
      outputs: "Diego Velázquez painted it in 1665.",
      reference_outputs: "Diego Velázquez, in 1656.",
      judge: "rule",
      rule: "contains",
      text: "1656",
    },
  },
  {
    name: "Groundedness",
    state: {
      prompt: "RAG_GROUNDEDNESS_PROMPT",
      context:
        "The museum opens at 10, on Thursdays until 20:00. Tickets are 18 francs; for students 12. Children pay nothing.",
      outputs: "It opens at ten, and students pay 12 francs. Guided tours are included.",
      judge: "rule",
      rule: "lacks",
      text: "tours",
    },
  },
  {
    name: "A number from 0 to 1",
    state: {
      prompt: "CONCISENESS_PROMPT",
      kind: "continuous",
      inputs: "How many grams are in an ounce?",
      outputs: "Great question! An ounce is about 28.35 grams. Let me know if you need anything else!",
      judge: "rule",
      rule: "shorter",
      text: "8",
    },
  },
  {
    name: "A prompt of your own",
    state: {
      prompt:
        "Would a customer feel taken seriously by this answer?\n\n<question>\n{inputs}\n</question>\n\n<answer>\n{outputs}\n</answer>\n\nScore 1 if so, 0.5 if the answer is merely polite, 0 if not.",
      kind: "choices",
      choices: "0, 0.5, 1",
      inputs: "My parcel has been under way for three weeks. What now?",
      outputs: "Sorry to hear that. Please be patient.",
      judge: "rule",
      rule: "lacks",
      text: "patient",
    },
  },
];
