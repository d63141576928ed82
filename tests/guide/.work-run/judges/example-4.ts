const __report = globalThis.__report;
import { createLLMAsJudge } from "openevals-wasm";

const prompt = "How right is {outputs} as an answer to {inputs}? Right is: {reference_outputs}";
const question = { inputs: "Which seas border Spain?", outputs: "The Atlantic", referenceOutputs: "Atlantic, Mediterranean" };

const graded = createLLMAsJudge({ prompt, model: "openai:gpt-5.4", continuous: true });
__report(0, await graded(question)); // { key: "score", score: 0.8, … }: any number from 0 to 1

const stepped = createLLMAsJudge({ prompt, model: "openai:gpt-5.4", choices: [0, 0.5, 1] });
__report(1, await stepped(question)); // { key: "score", score: 0.6, … }: one of these

const silent = createLLMAsJudge({ prompt, model: "openai:gpt-5.4", useReasoning: false });
__report(2, await silent(question)); // { key: "score", score: true, metadata }: no comment, fewer tokens

export {};
