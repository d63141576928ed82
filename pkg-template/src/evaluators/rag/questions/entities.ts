import type { IndexedPrompt } from "../../item-verdicts/prompt.js";

/** Asks for the entities of texts. */
export const ENTITIES: IndexedPrompt = {
  name: "entities",
  item: "text",
  instructions: `You list the entities of texts: people, organizations, places, works, products, laws, events, dates, and quantities with their units.

Write each entity once for each text, exactly as the text writes it; if it has several forms, write the longest. General nouns, adjectives and pronouns are not entities. A text without entities has an empty list.`,
  prompt: `<texts>
{items}
</texts>

Which entities does each text name?`,
  answer: {
    entities: { type: "array", items: { type: "string" }, description: "The entities of the text." },
  },
};
