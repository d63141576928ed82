/**
 * The table of providers in the guide: what each is sent, as a recorder in the place of `fetch` sees it, and where that is
 * known from, which `tests/providers/sources.json` says.
 */

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { path, TaskError } from "./run.mjs";

/** What the package that is built sends to each provider. */
export async function providers() {
  const built = await import(pathToFileURL(path("pkg/dist/index.js")).href);
  const sources = JSON.parse(readFileSync(path("tests/providers/sources.json"), "utf8"));
  const rows = [];
  for (const provider of built.listProviders()) {
    const source = sources[provider.id];
    if (!source)
      throw new TaskError(`tests/providers/sources.json does not say where ${provider.id} is known from.`);
    rows.push(await rowOf(built, provider, source));
  }
  const head = [
    "provider",
    "key, address",
    "asked at",
    "form",
    "limit",
    "besides text",
    "embeddings",
    "known from",
  ];
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

async function rowOf(openevals, provider, source) {
  const { id, aliases, apiKeyVariables, baseURLVariables, needsKey, attachments, embeddings } = provider;
  const { url, body } = await recorded(openevals, provider, source);
  const variables = [...apiKeyVariables, ...baseURLVariables].map(code).join(", ");
  return [
    [id, ...aliases].map(code).join(", "),
    needsKey || !variables ? variables : `${variables}; needs no key`,
    code(url),
    formOf(body),
    code(placeOf(body, (value) => value === LIMIT)),
    attachments.join(", "),
    embeddings ? "yes" : "",
    knownFrom(source),
  ];
}

const code = (text) => `\`${text}\``;

/** A length of answers that nothing else in a request is. */
const LIMIT = 717;

/** What is sent for a judge with a schema. */
async function recorded({ createLLMAsJudge, initChatModel }, { id, baseURL }, source) {
  let sent;
  const fetch = async (url, { body }) => {
    sent = { url: url.replace(ACCOUNT, /\{.*\}/.exec(baseURL)?.[0]), body: JSON.parse(body) };
    throw new Error("It is recorded");
  };
  // Told, so that the environment of whoever builds does not matter.
  const options = { baseURL: baseURL?.replace(/\{.*\}/, ACCOUNT), ...source.options };
  const judge = initChatModel(`${id}:MODEL`, {
    apiKey: "key",
    maxTokens: LIMIT,
    maxRetries: 0,
    fetch,
    ...options,
  });
  await createLLMAsJudge({ prompt: "{outputs}", judge })({ outputs: "" }).catch(() => {});
  return sent;
}

const ACCOUNT = "the-account";

function formOf(body) {
  const place = placeOf(body, isSchema);
  if (place) return code(place);
  const type = body.response_format?.type;
  return type ? `${code(`response_format: ${type}`)}, schema in the prompt` : "schema in the prompt";
}

/** Some want the schema as a text. */
function isSchema(value) {
  const schema = typeof value === "string" && value.startsWith("{") ? JSON.parse(value) : value;
  return schema?.properties?.score !== undefined;
}

/** The names on the way to the first value that is sought. */
function placeOf(value, isSought) {
  for (const [name, member] of Object.entries(Object(value))) {
    if (isSought(member)) return name;
    const place = typeof member === "object" && placeOf(member, isSought);
    if (place) return `${name}.${place}`;
  }
  return "";
}

function knownFrom({ packages = [], pages = [], note, checked }) {
  const { devDependencies } = JSON.parse(readFileSync(path("tests/package.json"), "utf8"));
  const versions = packages.map((name) => `${code(name)} ${devDependencies[name] ?? "?"}`);
  const links = pages.map((page) => `[${new URL(page).hostname}](${page})`);
  const told = links.length ? [`what it takes from documentation alone: ${links.join(", ")}`] : [];
  return `${[...versions, ...told, ...(note ? [note] : [])].join("; ")} (${checked})`;
}
