/** `extraction: "thorough"`: the three steps of claim verification, then the verdicts. */
import type { JudgeRequest } from "openevals-wasm";
import { faithfulness } from "openevals-wasm/rag";
import { expect, it } from "vitest";
import { scripted } from "./judge.ts";

it("asks three questions about each sentence with claims, and one about others", async () => {
  const { judge: verdicts } = scripted({ support: { "The shop is [in Leeds] open": ["c"] } });
  const steps: string[] = [];
  const judge = (request: JudgeRequest) => {
    const { properties } = request.schema as any;
    const prompt = request.messages.at(-1)!.content as string;
    const found = prompt.includes("<sentence>\nIt is open.");
    if (properties.final_submission) {
      steps.push("selection");
      return {
        sentence: "",
        thought_process: "",
        final_submission: `${found ? "Contains" : "Does NOT contain"} a specific and verifiable proposition`,
        sentence_with_verifiable_info: found ? "remains unchanged" : "None",
      };
    }
    if (properties.decontextualized_sentences) {
      steps.push("disambiguation");
      return {
        incomplete_names_acronyms_abbreviations_reasoning: "",
        linguistic_ambiguity_reasoning: "",
        changes_needed_reasoning: "",
        changes_needed: false,
        decontextualized_sentences: ["The shop is open."],
      };
    }
    if (properties.max_clarified_sentence) {
      steps.push("decomposition");
      return {
        sentence: "",
        referential_terms_to_clarify: "None",
        max_clarified_sentence: "",
        range_of_possible_propositions: "1",
        specific_verifiable_decontextualized_propositions: ["The shop is open"],
        specific_verifiable_decontextualized_propositions_with_clarifications: [
          "The shop is [in Leeds] open",
        ],
      };
    }
    steps.push("support");
    return verdicts(request);
  };
  const thorough = faithfulness({ judge, extraction: "thorough", maxConcurrency: 1 });
  const { score, metadata } = await thorough({
    inputs: "Is it?",
    outputs: "Hello there! It is open.",
    context: ["c"],
  });
  expect(score).toBe(1);
  expect(metadata.claims).toMatchObject([
    { claim: "The shop is [in Leeds] open", start: 13, end: 24, contexts: [0] },
  ]);
  expect(steps).toEqual(["selection", "selection", "disambiguation", "decomposition", "support"]);
  expect(metadata.attempts).toBe(5);
});
