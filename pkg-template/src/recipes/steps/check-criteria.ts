import type { Step } from "../recipe.js";

/** How likely a response meets a criterion. */
export const CRITERION: Step = {
  system: `You judge whether the response of an assistant meets a criterion.`,
  prompt: `<conversation>
{conversation}
</conversation>

<response>
{response}
</response>

<criterion>
{criterion}
</criterion>`,
  schema: {
    type: "object",
    properties: {
      reasoning: { type: "string", description: "What in the response speaks for and against it." },
      probability: {
        type: "number",
        minimum: 0,
        maximum: 1,
        description: "How likely the criterion is met.",
      },
    },
    required: ["reasoning", "probability"],
    additionalProperties: false,
  },
};
