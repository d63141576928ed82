/** Code that must not compile. An `@ts-expect-error` without an error under it is itself an error. */
import {
  createCodeLLMAsJudge,
  createEmbeddingSimilarityEvaluator,
  createJsonMatchEvaluator,
  createLLMAsJudge,
  createLLMSimulatedUser,
  createTrajectoryMatchEvaluator,
  exactMatch,
  graphTrajectoryStrictMatch,
  initChatModel,
  levenshteinDistance,
  OpenEvalsError,
  runMultiturnSimulation,
} from "openevals-wasm";
import { allOf, guard, noPII, unless, weighted } from "openevals-wasm/checks";
import { createE2BExecutionEvaluator } from "openevals-wasm/code/e2b";
import { createTypeScriptEvaluator } from "openevals-wasm/code/typescript";
import { evaluate } from "openevals-wasm/evaluation";
import { mockTools, runSimulations } from "openevals-wasm/harness";

export async function refused(): Promise<void> {
  // @ts-expect-error nothing to score
  await exactMatch();
  // @ts-expect-error no outputs
  await exactMatch({ referenceOutputs: 1 });
  // @ts-expect-error a score is not a text
  const text: string = (await levenshteinDistance({ outputs: "a", referenceOutputs: "b" })).score;
  // @ts-expect-error rows are a list
  await exactMatch.batch({ outputs: 1, referenceOutputs: 1 });

  // @ts-expect-error no data
  await evaluate(() => "", {});
  // @ts-expect-error a target is called
  await evaluate("https://example.com", { data: [] });
  // @ts-expect-error evaluators are a list
  await evaluate(() => "", { data: [], evaluators: exactMatch });
  // @ts-expect-error what makes evaluators is none
  await evaluate(() => "", { data: [], evaluators: [noPII] });
  // @ts-expect-error nor is it with options that have to be there
  await evaluate(() => "", { data: [], evaluators: [exactMatch, createLLMAsJudge] });
  // @ts-expect-error nor in a combination
  allOf([noPII]);
  // @ts-expect-error a text is no score
  await evaluate(() => "", { data: [], evaluators: [() => "good"] });
  const { length } = mockTools({ length: ({ item }: { item: string }) => item.length });
  // @ts-expect-error a misspelt argument of a tool
  await length({ itm: "a" });
  // @ts-expect-error the result is a number
  const size: string = await length({ item: "a" });

  const simulation = {
    users: [{ name: "curt", persona: "" }],
    tasks: [{ name: "refund", goal: "" }],
    app: () => ({ role: "assistant", content: size }),
    state: () => ({ refunded: true }),
  };
  // @ts-expect-error a misspelt field of the state
  runSimulations({ ...simulation, evaluators: [({ outputs }) => outputs.state.refundd] });
  // @ts-expect-error a misspelt field of the outputs
  runSimulations({ ...simulation, evaluators: [({ outputs }) => outputs.mesages.length] });

  // @ts-expect-error no such mode of the cache
  await evaluate(() => "", { data: [], judges: { cache: new Map(), cacheMode: "offline" } });

  // @ts-expect-error no such mode
  createTrajectoryMatchEvaluator({ trajectoryMatchMode: "loose" });
  // @ts-expect-error no such mode of the arguments
  createTrajectoryMatchEvaluator({ toolArgsMatchMode: "fuzzy" });
  // @ts-expect-error nor for one tool
  createTrajectoryMatchEvaluator({ toolArgsMatchOverrides: { search: "fuzzy" } });
  // @ts-expect-error a matcher answers yes or no
  createTrajectoryMatchEvaluator({ toolArgsMatchOverrides: { search: () => "yes" } });
  // @ts-expect-error no reference
  await createTrajectoryMatchEvaluator()({ outputs: [] });

  // @ts-expect-error no such aggregator
  createJsonMatchEvaluator({ aggregator: "sum" });
  // @ts-expect-error no such list mode
  createJsonMatchEvaluator({ listMatchMode: "any" });
  // @ts-expect-error keys are a list
  createJsonMatchEvaluator({ excludeKeys: "id" });

  // @ts-expect-error no embeddings
  createEmbeddingSimilarityEvaluator({});
  // @ts-expect-error no such algorithm
  createEmbeddingSimilarityEvaluator({ embeddings: async () => [1], algorithm: "euclid" });
  // @ts-expect-error a vector holds numbers
  createEmbeddingSimilarityEvaluator({ embeddings: async () => ["1"] });
  const graph = { results: [], steps: [] };
  // @ts-expect-error steps are lists of names
  await graphTrajectoryStrictMatch({ outputs: { results: [], steps: "agent" }, referenceOutputs: graph });

  // @ts-expect-error no prompt
  createLLMAsJudge({ model: "openai:gpt-5.4" });
  // @ts-expect-error choices are numbers
  createLLMAsJudge({ prompt: "{outputs}", choices: ["good", "bad"] });
  // @ts-expect-error the number of retries is a number
  initChatModel("openai:gpt-5.4", { maxRetries: "4" });

  const app = () => ({ role: "assistant", content: "Yes?" });
  // @ts-expect-error no user
  await runMultiturnSimulation({ app, maxTurns: 1 });
  // @ts-expect-error an answer has content
  await runMultiturnSimulation({ app: () => ({ role: "assistant" }), user: ["Hi"], maxTurns: 1 });
  // @ts-expect-error a user says a message
  await runMultiturnSimulation({ app, user: () => "Hi", maxTurns: 1 });
  // @ts-expect-error the user is missing
  createLLMSimulatedUser({ model: "openai:gpt-5.4" });

  // @ts-expect-error no such strategy
  createCodeLLMAsJudge({ prompt: "{outputs}", codeExtractionStrategy: "regex" });
  // @ts-expect-error an extractor returns code
  createTypeScriptEvaluator({ codeExtractor: () => 1 });
  // @ts-expect-error a sandbox has files and commands
  createE2BExecutionEvaluator({ sandbox: {} });
  // @ts-expect-error a number is no code
  await createTypeScriptEvaluator()({ outputs: 1 });

  // @ts-expect-error parts are a list
  allOf(exactMatch, levenshteinDistance);
  // @ts-expect-error a text is no evaluator
  createJsonMatchEvaluator({ evaluators: { name: "the same?" } });
  // @ts-expect-error a text is no score
  unless(() => "good", exactMatch);
  // @ts-expect-error a weight is a number
  weighted([{ evaluator: exactMatch, weight: "1" }]);
  // @ts-expect-error a response is no answer
  guard(new Response("x"), [exactMatch]);
  async function* events() {
    yield { type: "text-delta" };
  }
  async function* texts() {
    yield "";
  }
  // @ts-expect-error nor are events
  guard(events(), [exactMatch]);
  // @ts-expect-error what is known at the end is a promise
  const isKnown: boolean = guard(texts(), [exactMatch]).ok;
  console.log(isKnown);

  const error: unknown = text;
  // @ts-expect-error no such code, so this is always false
  if (error instanceof OpenEvalsError && error.code === "no_such_code") throw error;
}
