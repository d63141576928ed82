/**
 * The table of providers in the guide: the requests to each, recorded by our own `fetch`, and the sources in
 * `tests/providers/sources.json`.
 */

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { path, TaskError } from "./run.mjs";

/** The requests of the built package to each provider. */
export async function providers() {
  const modules = ["index.js", "judges.js"].map(
    (name) => import(pathToFileURL(path(`pkg/dist/${name}`)).href),
  );
  const built = Object.assign({}, ...(await Promise.all(modules)));
  const sources = JSON.parse(readFileSync(path("tests/providers/sources.json"), "utf8"));
  const rows = [];
  for (const provider of built.listProviders()) {
    const source = sources[provider.id];
    if (!source)
      throw new TaskError(
        `tests/providers/sources.json has no entry for ${provider.id}; add the sources of its request format.`,
      );
    rows.push(await rowOf(built, provider, source));
  }
  const head = [
    "provider",
    "key, address",
    "URL",
    "form",
    "limit",
    "probabilities",
    "attachments",
    "embeddings",
    "sources",
  ];
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

async function rowOf(openevals, provider, source) {
  const { id, aliases, apiKeyVariables, baseURLVariables, needsKey, attachments, embeddings } = provider;
  const { url, body } = await recorded(openevals, provider, source, ({ createLLMAsJudge }, judge) =>
    createLLMAsJudge({ prompt: "{outputs}", judge }),
  );
  const logprobs = await placeOfLogprobs(openevals, provider, source);
  const variables = [...apiKeyVariables, ...baseURLVariables].map(code).join(", ");
  return [
    [id, ...aliases].map(code).join(", "),
    needsKey || !variables ? variables : `${variables}; needs no key`,
    code(url),
    formOf(body),
    code(placeOf(body, (value) => value === LIMIT)),
    logprobs ? code(logprobs) : "",
    attachments.join(", "),
    embeddings ? "yes" : "",
    sourcesText(source),
  ];
}

const code = (text) => `\`${text}\``;

/** A token limit that occurs nowhere else in a request, so that it can be found. */
const LIMIT = 717;

/** The member of a request that asks for log probabilities. */
async function placeOfLogprobs(openevals, provider, source) {
  const { body } = await recorded(openevals, provider, source, ({ createGEval }, judge) =>
    createGEval({ steps: ["Rate it."], judge, samples: 1 }),
  );
  return placeOf(body, (value) => value === LOGPROBS);
}

/** The number of alternative tokens; it occurs nowhere else in a request. */
const LOGPROBS = 20;

/** The request of a judge. */
async function recorded(openevals, { id, baseURL }, source, make) {
  let sent;
  const fetch = async (url, { body }) => {
    sent = { url: url.replace(ACCOUNT, /\{.*\}/.exec(baseURL)?.[0]), body: JSON.parse(body) };
    throw new Error("It is recorded");
  };
  // Set here, so that the environment does not matter.
  const options = { baseURL: baseURL?.replace(/\{.*\}/, ACCOUNT), ...source.options };
  const judge = openevals.initChatModel(`${id}:MODEL`, {
    apiKey: "key",
    maxTokens: LIMIT,
    maxRetries: 0,
    fetch,
    ...options,
  });
  await make(openevals, judge)({ outputs: "" }).catch(() => {});
  return sent;
}

const ACCOUNT = "the-account";

function formOf(body) {
  const place = placeOf(body, isSchema);
  if (place) return code(place);
  const type = body.response_format?.type;
  return type ? `${code(`response_format: ${type}`)}, schema in the prompt` : "schema in the prompt";
}

/** Some providers want the schema as text. */
function isSchema(value) {
  const schema = typeof value === "string" && value.startsWith("{") ? JSON.parse(value) : value;
  return schema?.properties?.score !== undefined;
}

/** The path to the first value that satisfies `isSought`. */
function placeOf(value, isSought) {
  for (const [name, member] of Object.entries(Object(value))) {
    if (isSought(member)) return name;
    const place = typeof member === "object" && placeOf(member, isSought);
    if (place) return `${name}.${place}`;
  }
  return "";
}

function sourcesText({ packages = [], pages = [], note, checked }) {
  const { devDependencies } = JSON.parse(readFileSync(path("tests/package.json"), "utf8"));
  const versions = packages.map((name) => `${code(name)} ${devDependencies[name] ?? "?"}`);
  const links = pages.map((page) => `[${new URL(page).hostname}](${page})`);
  const documented = links.length ? [`from documentation alone: ${links.join(", ")}`] : [];
  return `${[...versions, ...documented, ...(note ? [note] : [])].join("; ")} (${checked})`;
}
