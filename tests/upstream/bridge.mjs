/**
 * Serves the package to Python: reads calls from the standard input, one JSON document a line, and answers on
 * the standard output. Functions that Python passes are called back in the same way.
 */

import { createInterface } from "node:readline";
import { ChatOpenAI } from "@langchain/openai";
import OpenAI from "openai";
import * as main from "openevals-wasm";
import * as e2b from "openevals-wasm/code/e2b";
import * as python from "openevals-wasm/code/python";
import * as llm from "openevals-wasm/llm";
import * as prompts from "openevals-wasm/prompts";
import * as utils from "openevals-wasm/utils";
import { Sandbox } from "./sandbox.ts";

const everything = { ...utils, ...llm, ...prompts, ...e2b, ...python, ...main };
const handles = [];
const callbacks = new Map();
let lastCallback = 0;

const write = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);

/** Calls a function of Python. */
function callBack(fn, args) {
  const callback = ++lastCallback;
  write({ callback, fn, args });
  return new Promise((resolve, reject) => callbacks.set(callback, { resolve, reject }));
}

/** Everything that Python has, and JSON has not. */
const SPECIAL = {
  $function:
    (fn) =>
    (...args) =>
      callBack(fn, args),
  $handle: (index) => handles[index],
  $openai: () => new OpenAI(),
  $langchain: (options) => new ChatOpenAI(options),
  $prompt: ({ fn, schema }) => ({
    ...(schema && { schema }),
    invoke: (variables) => callBack(fn, [variables]),
  }),
  $graph: (fn) => ({
    async *getStateHistory(config) {
      yield* await callBack(fn, [config]);
    },
  }),
  $sandbox: () => new Sandbox(),
};

function decode(value) {
  if (Array.isArray(value)) return value.map(decode);
  if (typeof value !== "object" || value === null) return value;
  const [name] = Object.keys(value);
  if (name in SPECIAL) return SPECIAL[name](value[name]);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, decode(inner)]));
}

/** A function becomes a handle, by which it can be called. */
const encode = (value) => (typeof value === "function" ? { $handle: handles.push(value) - 1 } : value);

async function answer({ get, call, handle, args = [] }) {
  if (get !== undefined) {
    if (!(get in everything)) throw Object.assign(new Error(`There is no ${get}`), { code: "missing" });
    return everything[get];
  }
  const work = call === undefined ? handles[handle] : everything[call];
  if (!work) throw Object.assign(new Error(`There is no ${call}`), { code: "missing" });
  return encode(await work(...decode(args)));
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, reply, value, error, ...asked } = JSON.parse(line);
  if (reply !== undefined) {
    const { resolve, reject } = callbacks.get(reply);
    callbacks.delete(reply);
    if (error === undefined) resolve(decode(value));
    else reject(new Error(error));
  } else {
    answer(asked).then(
      (value) => write({ id, value: value === undefined ? null : value }),
      ({ code, message }) => write({ id, error: { code, message } }),
    );
  }
}
