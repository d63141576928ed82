import type { Example, State } from "../../bench.js";
import { policyText } from "./policy.js";

const json = (value: unknown): string => JSON.stringify(value, undefined, 2);
const call = (name: string, args: object) => ({ function: { name, arguments: JSON.stringify(args) } });
const asks = (...calls: object[]) => ({ role: "assistant", content: "", tool_calls: calls });
const user = (content: string) => ({ role: "user", content });
const tool = (content: string) => ({ role: "tool", content });
const answers = (content: string) => ({ role: "assistant", content });

const state = (outputs: unknown, reference: unknown, more: State = {}): State => ({
  outputs: json(outputs),
  reference: json(reference),
  ...more,
});

export const EXAMPLES: Example[] = [
  {
    name: "A wrong argument",
    state: state(
      [
        user("Refund order 4711, the jacket only."),
        asks(call("find_order", { id: 4711 })),
        tool('{"items": ["jacket", "scarf"], "total": 138}'),
        asks(call("refund", { order: 4711, amount: 138, reason: "customer request" })),
        tool("done"),
        answers("The jacket is refunded."),
      ],
      [
        user("Refund order 4711, the jacket only."),
        asks(call("find_order", { id: 4711 })),
        tool('{"items": ["jacket", "scarf"], "total": 138}'),
        asks(call("refund", { order: 4711, amount: 99, reason: "returned" })),
        tool("done"),
        asks(call("send_mail", { template: "refund" })),
        tool("sent"),
        answers("The jacket is refunded: 99 francs."),
      ],
    ),
  },
  {
    name: "Calls in another order",
    state: state(
      [
        user("Can I cycle to work in Zürich tomorrow, and is the 8:30 meeting still on?"),
        asks(call("get_calendar", { day: "2026-11-24" })),
        tool("8:30 Stand-up, room 4"),
        asks(call("get_weather", { city: "Zürich", day: "2026-11-24" })),
        tool("2 °C, dry"),
        answers("It stays dry at 2 °C, and the meeting is on."),
      ],
      [
        user("Can I cycle to work in Zürich tomorrow, and is the 8:30 meeting still on?"),
        asks(
          call("get_weather", { city: "Zürich", day: "2026-11-24" }),
          call("get_calendar", { day: "2026-11-24" }),
        ),
        tool("2 °C, dry"),
        tool("8:30 Stand-up, room 4"),
        answers("Dry, 2 °C, and the stand-up takes place."),
      ],
      { mode: "unordered" },
    ),
  },
  {
    name: "A rule for one tool",
    state: state(
      [
        user("What is new about WebAssembly garbage collection?"),
        asks(call("search", { query: "WasmGC browser support 2026", limit: 5 })),
        tool("3 results"),
        asks(call("open", { url: "https://webassembly.org/features/" })),
        tool("…"),
        answers("All three engines ship it."),
      ],
      [
        user("What is new about WebAssembly garbage collection?"),
        asks(call("search", { query: "WebAssembly GC support", limit: 5 })),
        tool("3 results"),
        asks(call("open", { url: "https://webassembly.org/features/" })),
        tool("…"),
        answers("Every major engine has it."),
      ],
      { overrides: JSON.stringify({ search: ["limit"] }) },
    ),
  },
  {
    name: "A tool policy",
    state: state(
      [
        user("Cancel order 4711."),
        asks(call("find_order", { id: 4711 })),
        tool('{"state": "paid", "total": 138}'),
        asks(call("refund", { order: 4711, amount: 138 })),
        tool("done"),
        asks(call("refund", { order: 4711, amount: 138 })),
        tool("done"),
        answers("The order is cancelled, and you have your money back."),
      ],
      [
        user("Cancel order 4711."),
        asks(call("find_order", { id: 4711 })),
        tool('{"state": "paid", "total": 138}'),
        asks(call("authenticate", {})),
        tool("ok"),
        asks(call("refund", { order: 4711, amount: 138 })),
        tool("done"),
        answers("The order is cancelled, and you have your money back."),
      ],
      {
        policy: policyText({
          deny: ["delete_*"],
          before: [["authenticate", "refund"]],
          required: ["authenticate"],
          maxCalls: { refund: 1 },
        }),
      },
    ),
  },
  {
    name: "LangChain messages",
    state: state(
      [
        { type: "human", content: "Book a table for two at Kronenhalle, Friday at 7." },
        {
          type: "ai",
          content: "",
          tool_calls: [
            { name: "book", args: { place: "Kronenhalle", people: 2, at: "Fri 19:00" }, id: "c1" },
          ],
        },
        { type: "tool", content: "confirmed", tool_call_id: "c1" },
        { type: "ai", content: "Booked." },
      ],
      [
        user("Book a table for two at Kronenhalle, Friday at 7."),
        asks(call("book", { at: "Fri 19:00", people: 2, place: "Kronenhalle" })),
        tool("confirmed"),
        answers("It is booked."),
      ],
    ),
  },
  {
    name: "A LangGraph thread",
    state: state(
      [
        {
          values: { messages: [answers("Diego Velázquez, in 1656.")] },
          next: [],
          tasks: [],
          metadata: { source: "loop" },
        },
        { values: {}, next: ["answer"], tasks: [{ name: "answer" }], metadata: { source: "loop" } },
        { values: {}, next: ["search"], tasks: [{ name: "search" }], metadata: { source: "loop" } },
        {
          values: {},
          next: ["__start__"],
          tasks: [{ name: "__start__", result: { question: "Who painted Las Meninas?" } }],
          metadata: { source: "input" },
        },
      ],
      { steps: [["__start__", "search", "grade", "answer"]], results: [{}] },
    ),
  },
];
