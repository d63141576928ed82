import type { ItemQuestionConfig } from "../../../../openevals.types.js";
import { crossing } from "../question.js";
import { type ItemQuestion, NOT_INSTRUCTIONS } from "./parts.js";

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
      system: system.replace(NOT_INSTRUCTIONS, `${together(name)}\n\n${NOT_INSTRUCTIONS}`),
      prompt: prompt.replace(
        `<${name}>\n{${name}}\n</${name}>`,
        `<${name}s>\n{things}\n</${name}s>\n\nAnswer for each ${name}, with its number.`,
      ),
      schema: {
        type: "object",
        properties: {
          answers: {
            type: "array",
            description: `One answer for each ${name}, in order.`,
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
  `This time there are several ${name}s, each in a numbered block. They come from one list or table, or from a heading ` +
  `and what follows it. Treat each as if it were the only one: give each its own answer, even if two are alike, and ` +
  `do not base it on the answers for the others.`;
