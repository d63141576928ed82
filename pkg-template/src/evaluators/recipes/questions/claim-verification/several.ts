import type { ItemQuestionConfig } from "../../../../openevals.types.js";
import { crossing } from "../question.js";
import { type ItemQuestion, MATERIAL } from "./parts.js";

/**
 * A question about one item in the form for the engine, together with the same question about several items.
 *
 * @param name The noun for an item in the prompt, also its variable `{name}` and its block.
 */
export function forOneAndSeveral(question: ItemQuestion, name: string): ItemQuestionConfig {
  const { system, prompt, schema } = question;
  const number = { type: "integer", description: `The number of the ${name}.` };
  return {
    one: crossing(question),
    several: crossing({
      system: system.replace(MATERIAL, `${together(name)}\n\n${MATERIAL}`),
      prompt: prompt.replace(
        `<${name}>\n{${name}}\n</${name}>`,
        `<${name}s>\n{things}\n</${name}s>\n\nAnswer for each ${name}, with its number.`,
      ),
      schema: {
        type: "object",
        properties: {
          answers: {
            type: "array",
            description: `One answer for each ${name}, in their order.`,
            items: {
              ...schema,
              properties: { number, ...schema.properties },
              required: ["number", ...schema.required],
            },
          },
        },
        required: ["answers"],
        additionalProperties: false,
      },
    }),
  };
}

const together = (name: string) =>
  `This time there are several such ${name}s, each in a block with its number. They come from one list or table, or ` +
  `from a heading and what follows it. Treat each as if you were asked about it alone: give every one an answer of its ` +
  `own, also where two are alike, and let none depend on the answers for the others.`;
