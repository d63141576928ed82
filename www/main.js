// The page: two fields, scored by the package as one types.

import { readJson } from "./json.js";
import { createJsonMatchEvaluator, exactMatch, levenshteinDistance } from "./pkg/dist/index.js";

const EXAMPLES = {
  text: {
    outputs: "Las Meninas was painted by Diego Velasquez in 1665.",
    reference: "Las Meninas was painted by Diego Velázquez in 1656.",
  },
  json: {
    outputs: `{
  "vendor": "Café Zoë",
  "date": "2026-09-03",
  "items": ["flat white", "flat white"],
  "total": 8.4
}`,
    reference: `{
  "date": "2026-03-09",
  "vendor": "Café Zoë",
  "total": 8.40,
  "items": ["flat white", "flat white"],
  "paid_by": "card"
}`,
  },
};
const LONGEST_LINK = 30_000;

const $ = (id) => document.getElementById(id);
const fields = { outputs: $("outputs"), reference: $("reference") };
const texts = structuredClone(EXAMPLES); // what stands in the fields, for each mode
const jsonMatch = new Map(
  ["", "average", "all"].map((aggregator) => [
    aggregator,
    createJsonMatchEvaluator(aggregator ? { aggregator, listAggregator: aggregator } : {}),
  ]),
);

const chosen = (name) => document.querySelector(`input[name="${name}"]:checked`).value;

function choose(name, value) {
  const input = document.querySelector(`input[name="${name}"][value="${CSS.escape(value)}"]`);
  if (input) input.checked = true;
}

// ---- Scoring

let latest = 0;

async function update() {
  const turn = ++latest;
  const mode = chosen("mode");
  $("aggregators").hidden = mode !== "json";
  const values = mode === "json" ? readFields() : texts.text;
  $("scores").classList.toggle("stale", !values);
  if (!values) {
    $("state").textContent = "waiting for JSON in both fields";
    return;
  }

  const started = performance.now();
  const results = [];
  let problem = "";
  try {
    for await (const result of mode === "json" ? scoreJson(values) : scoreText(values)) results.push(result);
  } catch (error) {
    problem = error.message;
  }
  // What comes after a later score was asked for is out of date.
  if (turn === latest) show(results, problem, performance.now() - started);
}

async function* scoreText({ outputs, reference: referenceOutputs }) {
  const similarity = await levenshteinDistance({ outputs, referenceOutputs });
  const longest = Math.max(outputs.length, referenceOutputs.length);
  const edits = Math.round((1 - similarity.score) * longest);
  yield {
    ...similarity,
    name: "Levenshtein similarity",
    detail: `${edits} ${edits === 1 ? "edit" : "edits"} apart`,
  };
  yield { ...(await exactMatch({ outputs, referenceOutputs })), name: "Exact match" };
}

async function* scoreJson({ outputs, reference: referenceOutputs }) {
  yield { ...(await exactMatch({ outputs, referenceOutputs })), name: "Exact match" };
  const results = await jsonMatch.get(chosen("aggregator"))({ outputs, referenceOutputs });
  for (const result of results) yield { ...result, name: nameOf(result.key) };
}

function nameOf(key) {
  const part = key.slice("json_match:".length);
  if (!chosen("aggregator")) return part;
  return part === "all" ? "All keys match" : "Average over the keys";
}

/** The JSON values of both fields, or nothing while one of them is not JSON. */
function readFields() {
  const read = Object.entries(fields).map(([name, field]) => {
    const { value, problem, line, column } = readJson(field.value);
    sayInvalid(name, problem && `Line ${line}, column ${column}: ${problem}.`);
    return [name, value, problem];
  });
  if (read.some(([, , problem]) => problem)) return undefined;
  return Object.fromEntries(read);
}

function sayInvalid(name, problem = "") {
  const message = $(`${name}-problem`);
  if (message.textContent !== problem) message.textContent = problem;
  fields[name].setAttribute("aria-invalid", String(problem !== ""));
}

// ---- What one sees

function show(results, problem, milliseconds) {
  $("state").textContent = `in ${milliseconds.toFixed(1)} ms`;
  $("problem").textContent = problem;
  $("scores").replaceChildren(...results.map(scoreLine));
  speakSoon(results.map(({ name, score }) => `${name} ${shown(score)}`).join(", "));
}

let speaking;

/** To a screen reader, in a pause of the typing. */
function speakSoon(text) {
  clearTimeout(speaking);
  speaking = setTimeout(() => ($("spoken").textContent = text), 600);
}

function scoreLine({ name, key, score, detail }) {
  const title = element("span", { className: "name" }, name);
  title.append(element("span", { className: "key" }, detail ? `${key} · ${detail}` : key));
  const line = element("li", { className: "score" }, title);
  line.dataset.key = key;
  if (typeof score === "boolean") {
    const mark = score ? "✓" : "✗";
    line.append(element("span", { className: `verdict ${score ? "yes" : "no"}` }, `${mark} ${score}`));
  } else {
    line.classList.toggle("full", score === 1);
    line.classList.toggle("none", score === 0);
    const fill = element("i");
    fill.style.setProperty("--score", score);
    line.append(
      element("span", { className: "meter", ariaHidden: "true" }, fill),
      element("span", { className: "number" }, shown(score)),
    );
  }
  return line;
}

/** Two decimals, but what is not equal never reads as 1, nor what is not entirely different as 0. */
function shown(score) {
  if (typeof score === "boolean" || score === 0 || score === 1) return String(score);
  return Math.min(0.99, Math.max(0.01, score)).toFixed(2);
}

function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

/** How large the engine is and how long the first score took, loading included. */
async function measureEngine() {
  const started = performance.now();
  try {
    // Equal values would be scored without the engine.
    await levenshteinDistance({ outputs: "a", referenceOutputs: "b" });
    const took = `ready in ${Math.max(1, Math.round(performance.now() - started))} ms`;
    const file = performance
      .getEntriesByType("resource")
      .find(({ name }) => name.endsWith("/openevals.wasm"));
    const size = file?.decodedBodySize;
    $("engine").textContent = size
      ? `Engine: ${Math.round(size / 1024)} KB of WebAssembly, ${took}`
      : `Engine ${took}`;
  } catch {
    $("engine").textContent = "The engine could not be loaded."; // update() shows the reason
  }
}

// ---- The link

/** Puts into the fields what the link holds. */
function readHash() {
  const state = new URLSearchParams(location.hash.slice(1));
  const mode = state.get("mode");
  if (Object.hasOwn(EXAMPLES, mode ?? "")) {
    choose("mode", mode);
    for (const name in fields) texts[mode][name] = state.get(name) ?? texts[mode][name];
  }
  choose("aggregator", state.get("aggregator") ?? "");
  fillFields();
}

let pending;

/** Browsers limit how often a page may change its address, so that waits for a pause. */
function writeHashSoon() {
  clearTimeout(pending);
  pending = setTimeout(writeHash, 200);
}

function writeHash() {
  clearTimeout(pending);
  const mode = chosen("mode");
  const state = new URLSearchParams({ mode, ...texts[mode] });
  if (mode === "json" && chosen("aggregator")) state.set("aggregator", chosen("aggregator"));
  const hash = `#${state}`;
  const fits = hash.length <= LONGEST_LINK;
  $("copy").disabled = !fits;
  $("copy").title = fits ? "" : "These texts are too long for a link";
  history.replaceState(null, "", fits ? hash : location.pathname + location.search);
}

async function copyLink() {
  writeHash();
  const button = $("copy");
  try {
    await navigator.clipboard.writeText(location.href);
    button.textContent = "Copied";
  } catch {
    button.textContent = "Copy the address bar";
  }
  setTimeout(() => (button.textContent = "Copy link"), 1500);
}

// ---- Start

function fillFields() {
  for (const [name, field] of Object.entries(fields)) {
    field.value = texts[chosen("mode")][name];
    sayInvalid(name);
  }
}

for (const [name, field] of Object.entries(fields)) {
  field.addEventListener("input", () => {
    texts[chosen("mode")][name] = field.value;
    writeHashSoon();
    update();
  });
}
$("modes").addEventListener("change", () => {
  fillFields();
  writeHashSoon();
  update();
});
$("aggregators").addEventListener("change", () => {
  writeHashSoon();
  update();
});
$("copy").addEventListener("click", copyLink);
addEventListener("hashchange", () => {
  readHash();
  update();
});

readHash();
await measureEngine();
update();
