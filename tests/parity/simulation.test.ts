/** Simulations with scripted applications and users: the arguments of calls, and the results. */
import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import fc from "fast-check";
import { createLLMSimulatedUser, runMultiturnSimulation } from "openevals-wasm";
import { test } from "vitest";
import { compare } from "./compare.ts";
import { openevals } from "./reference.ts";

interface Said {
  role: "user" | "assistant" | "tool" | "system";
  form: "plain" | "langchain";
  content: unknown;
  id?: string | undefined;
  calls?: unknown[] | undefined;
}

const call = { id: "c1", type: "function", function: { name: "search", arguments: '{"q":"a"}' } };

/** Made for each use, because the reference modifies its inputs. */
function message({ role, form, content, id, calls }: Said): any {
  if (form === "plain" || role === "system") {
    return {
      role,
      content,
      ...(id !== undefined && { id }),
      ...(calls && { tool_calls: calls }),
      ...(role === "tool" && { tool_call_id: "c1" }),
    };
  }
  const fields: any = { content, id, ...(role === "tool" && { tool_call_id: "c1" }) };
  if (calls?.length) fields.tool_calls = [{ id: "c1", name: "search", args: { q: "a" } }];
  return new { user: HumanMessage, assistant: AIMessage, tool: ToolMessage }[role](fields);
}

const say = (role: fc.Arbitrary<Said["role"]>, content: fc.Arbitrary<unknown>): fc.Arbitrary<Said> =>
  fc
    .record({
      role,
      form: fc.constantFrom<Said["form"]>("plain", "langchain"),
      content,
      id: fc.oneof(
        { weight: 8, arbitrary: fc.constantFrom(undefined, "m1", "m2", "m3", "m4", "m5") },
        fc.constant(""),
      ),
      calls: fc.oneof(
        { weight: 6, arbitrary: fc.constant(undefined) },
        fc.constantFrom<unknown[]>([], [call]),
      ),
    })
    .map(({ calls, ...said }) => (said.role === "assistant" ? { ...said, calls } : said));

const texts = fc.constantFrom<unknown>("hi", "why?", "{}", [{ type: "text", text: "hm" }]);
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** The recording, with generated ids replaced by a constant. */
const recorded = (value: unknown): any =>
  JSON.parse(
    JSON.stringify(value, (key, member) =>
      /^id$|Id$/.test(key) && UUID.test(member) ? "generated" : member,
    ),
  );

interface Case {
  user: (string | Said)[];
  isList: boolean;
  answers: Said[];
  maxTurns?: number | undefined;
  stopAfter?: number | undefined;
  referenceOutputs: unknown;
  threadId?: string | undefined;
}

const cases: fc.Arbitrary<Case> = fc
  .record({
    user: fc.array(fc.oneof(fc.constantFrom("Hi", ""), say(fc.constant("user"), texts)), {
      minLength: 1,
      maxLength: 5,
    }),
    isList: fc.boolean(),
    answers: fc.array(say(fc.constantFrom("assistant", "assistant", "tool"), texts), {
      minLength: 1,
      maxLength: 5,
    }),
    maxTurns: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
    stopAfter: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
    referenceOutputs: fc.constantFrom<unknown>(undefined, "r", [{ role: "user", content: "hi" }]),
    threadId: fc.constantFrom(undefined, "t1"),
  })
  .map((made) =>
    made.maxTurns === undefined && made.stopAfter === undefined ? { ...made, maxTurns: 2 } : made,
  );

const made = (said: string | Said) => (typeof said === "string" ? said : message(said));
const at = <T>(list: T[], index: number): T => list[index % list.length] as T;

/** Everything that a simulation does. */
async function run(simulate: typeof runMultiturnSimulation, input: Case) {
  const { user, isList, answers, maxTurns, stopAfter, referenceOutputs, threadId } = input;
  const calls: unknown[] = [];
  const note = (name: string, params: unknown) => calls.push(recorded([name, params]));
  const byTurn = user.map((said) => (typeof said === "string" ? { role: "user", content: said } : said));
  let turns = 0;
  const result = await simulate({
    app(params) {
      note("app", params);
      return message(at(answers, turns++));
    },
    user: isList
      ? user.map(made)
      : (params) => {
          note("user", params);
          return made(at(byTurn as Said[], params.turnCounter));
        },
    maxTurns,
    ...(stopAfter !== undefined && {
      stoppingCondition(params) {
        note("condition", params);
        return params.turnCounter === stopAfter;
      },
    }),
    trajectoryEvaluators: [
      (params) => {
        note("evaluator", params);
        return { key: "one", score: 1 };
      },
      () => {
        throw new Error("boom");
      },
      async () => [
        { key: "two", score: true },
        { key: "three", score: 0.5 },
      ],
    ],
    referenceOutputs,
    ...(threadId !== undefined && { threadId }),
  });
  const { trajectory, evaluatorResults } = recorded(result);
  return { key: isList ? "list" : "function", score: { calls, trajectory, evaluatorResults } };
}

test("simulations run as in the reference", async () => {
  // The reference logs failures of evaluators to the console.
  const { error } = console;
  console.error = () => {};
  try {
    await compare<Case>({
      name: "simulations",
      cases,
      ours: (input) => run(runMultiturnSimulation, input),
      reference: async (input) => [
        await run(openevals.runMultiturnSimulation as unknown as typeof runMultiturnSimulation, input),
      ],
      differences: [
        {
          name: "an empty id counts as none, instead of losing the message",
          isListed: ({ user, answers }) =>
            [...user, ...answers].some((said) => typeof said !== "string" && said.id === ""),
          instead: (input) => ({
            ...input,
            user: input.user.map((said) => (typeof said === "string" ? said : withoutEmptyId(said))),
            answers: input.answers.map(withoutEmptyId),
          }),
        },
      ],
      outcome: ({ key }: any) => key,
      often: ["list", "function", "refused"],
      runs: 2_000,
    });
  } finally {
    console.error = error;
  }
});

const withoutEmptyId = ({ id, ...said }: Said): Said => ({ ...said, id: id || undefined });

interface Conversation {
  trajectory: Said[];
  fixed: string[];
  turnCounter: number;
}

const conversations: fc.Arbitrary<Conversation> = fc.record({
  trajectory: fc.array(
    say(
      fc.constantFrom("user", "user", "assistant", "assistant", "assistant", "tool", "system"),
      fc.oneof({ weight: 6, arbitrary: texts }, fc.constantFrom("", [])),
    ),
    { maxLength: 5 },
  ),
  fixed: fc.array(fc.constantFrom("One", "Two"), { maxLength: 2 }),
  turnCounter: fc.integer({ min: 0, max: 4 }),
});

/** Replaces the wording of the packages. */
const OURS: Record<string, string> = {
  "Generate an initial query to start a conversation based on your instructions. Do not respond with other text.":
    "opening",
  "Open the conversation: write your first message, and nothing else.": "opening",
};

/** A text equals a list with only that text. */
const textOf = (content: any) => (Array.isArray(content) && content.length === 1 ? content[0].text : content);

/** The requests to a model that plays the user, and the user's messages. */
async function play(create: typeof createLLMSimulatedUser, input: Conversation) {
  let asked: unknown = "nothing";
  const client: any = {
    invoke: async (messages: any[]) => {
      asked = messages.map(({ role, content }) => ({ role, content: OURS[content] ?? textOf(content) }));
      return new AIMessage("Hm.");
    },
  };
  const user = create({ system: "Be angry.", client, fixedResponses: input.fixed });
  const said = await user({
    trajectory: input.trajectory.map(message),
    turnCounter: input.turnCounter,
  });
  const { role, content } = said;
  return { key: asked === "nothing" ? "fixed" : "asked", score: { asked, role, content } };
}

const isSeen = ({ role, calls }: Said) => role === "user" || (role === "assistant" && !calls?.length);
const CUE = "There was no answer. Write your next message, and nothing else.";

test("a model that plays the user gets the same requests", async () => {
  await compare<Conversation>({
    name: "simulated users",
    cases: conversations,
    ours: (input) => play(createLLMSimulatedUser, input),
    reference: async (input) => [
      await play(openevals.createLLMSimulatedUser as unknown as typeof createLLMSimulatedUser, input),
    ],
    differences: [
      {
        name: "text beside tool calls is seen",
        isListed: ({ trajectory }) => trajectory.some(isSayingBesideCalls),
        instead: (input) => ({
          ...input,
          trajectory: input.trajectory.map(({ calls, ...said }) =>
            calls && !isSayingBesideCalls({ ...said, calls }) ? { ...said, calls } : said,
          ),
        }),
      },
      {
        name: "an answer without tool calls may say so",
        isListed: ({ trajectory }) => trajectory.some(({ calls }) => calls?.length === 0),
        instead: (input) => ({
          ...input,
          trajectory: input.trajectory.map(({ calls, ...said }) =>
            calls?.length ? { ...said, calls } : said,
          ),
        }),
      },
      {
        name: "messages that say nothing are left out",
        isListed: ({ trajectory }) => trajectory.some((said) => isSeen(said) && !isSaying(said)),
        instead: (input) => ({
          ...input,
          trajectory: input.trajectory.filter((said) => !isSeen(said) || isSaying(said)),
        }),
      },
      {
        name: "a model that would speak twice in a row is told to go on",
        isListed: ({ trajectory }) => trajectory.filter(isSeen).at(-1)?.role === "user",
        instead: (input) => ({
          ...input,
          trajectory: [...input.trajectory, { role: "assistant", form: "plain", content: CUE }],
        }),
      },
    ],
    outcome: ({ key }: any) => key,
    often: ["fixed", "asked"],
    runs: 3_000,
  });
});

const isSaying = ({ content }: Said) => (content as string | unknown[]).length > 0;

const isSayingBesideCalls = (said: Said) =>
  said.role === "assistant" && Boolean(said.calls?.length) && isSaying(said);
