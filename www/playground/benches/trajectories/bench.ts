/** The bench of trajectories: what an agent did beside what it should have done. */

import { graphTrajectoryStrictMatch, type ToolArgsMatchMode } from "openevals-wasm";
import { CodeBlock } from "../../../shared/code.js";
import { h, inPause, say } from "../../../shared/dom.js";
import { Choice, Editor } from "../../../shared/editor.js";
import { readJson } from "../../../shared/json-text.js";
import { ScoreLine, shown, verdictOf } from "../../../shared/scores.js";
import type { Bench, State } from "../../bench.js";
import { loaded } from "../../engine.js";
import { codeOf, graphCodeOf, policyCodeOf } from "./code.js";
import { EXAMPLES } from "./examples.js";
import { Lanes, stepsOf } from "./lanes.js";
import { callsIn, matches, type Rules, reasons, type Verdict, verdicts } from "./matching.js";
import { Modes } from "./modes.js";
import { Overrides } from "./overrides.js";
import { Policy } from "./policy.js";
import { type Pasted, readPasted } from "./reading.js";

const ARGS_MODES = {
  exact: "equal",
  ignore: "not compared",
  subset: "part of the reference's",
  superset: "have all of the reference's",
};

export const make = (changed: () => void): Bench => new Trajectories(changed);

type Messages = Extract<Pasted, { kind: "messages" }>;

class Trajectories implements Bench {
  readonly element: HTMLElement;
  readonly examples = EXAMPLES;
  readonly #output: Editor;
  readonly #reference: Editor;
  readonly #args: Choice;
  readonly #overrides: Overrides;
  readonly #modes: Modes;
  readonly #policy: Policy;
  readonly #lanes = new Lanes();
  readonly #line = new ScoreLine();
  readonly #drawing = h("div", { class: "drawing" });
  readonly #problem = h("p", { class: "problem", role: "alert" });
  readonly #spoken = h("p", { class: "unseen", "aria-live": "polite" });
  readonly #code = new CodeBlock("In your application");
  #turn = 0;

  constructor(changed: () => void) {
    const input = () => {
      void this.#update();
      changed();
    };
    const name = "messages of OpenAI, LangChain, or a LangGraph thread, as JSON";
    this.#output = new Editor("Output", { rows: 4, placeholder: name, oninput: input });
    this.#reference = new Editor("Reference", { rows: 4, placeholder: name, oninput: input });
    this.#args = new Choice("Arguments", ARGS_MODES, input);
    this.#overrides = new Overrides(input);
    this.#modes = new Modes(input);
    this.#policy = new Policy(input);
    this.element = h(
      "div",
      {},
      h(
        "div",
        { class: "columns" },
        h(
          "div",
          { class: "editors short" },
          this.#output.element,
          this.#reference.element,
          h("div", { class: "toolbar rules" }, this.#args.element, this.#overrides.element),
        ),
        this.#modes.element,
      ),
      this.#policy.element,
      this.#problem,
      this.#drawing,
      this.#spoken,
      this.#code.element,
      this.#line.element,
    );
  }

  open(state: State): void {
    const first = EXAMPLES[0]?.state ?? {};
    this.#output.text = state.outputs ?? first.outputs ?? "";
    this.#reference.text = state.reference ?? first.reference ?? "";
    this.#args.value = state.args ?? "exact";
    this.#overrides.open(state.overrides);
    this.#modes.mode = state.mode ?? "strict";
    this.#policy.open(state.policy);
    void this.#update();
  }

  state(): State {
    const overrides = this.#overrides.value;
    const policy = this.#policy.text;
    return {
      outputs: this.#output.text,
      reference: this.#reference.text,
      mode: this.#modes.mode,
      ...(this.#args.value !== "exact" && { args: this.#args.value }),
      ...(Object.keys(overrides).length && { overrides: JSON.stringify(overrides) }),
      ...(policy && { policy }),
    };
  }

  async #update(): Promise<void> {
    const turn = ++this.#turn;
    await loaded;
    const [output, reference] = [await this.#read(this.#output), await this.#read(this.#reference)];
    if (turn !== this.#turn) return;
    this.#stale(!output || !reference);
    if (!output || !reference) return;
    try {
      const draw =
        output.kind === "messages" && reference.kind === "messages"
          ? await this.#compare(output, reference)
          : await this.#compareGraphs(output, reference);
      if (turn !== this.#turn) return;
      say(this.#problem, "");
      draw();
    } catch (error) {
      if (turn !== this.#turn) return;
      this.#stale();
      say(this.#problem, (error as Error).message);
    }
  }

  /** Whether what is shown is of before. */
  #stale(isStale = true): void {
    for (const element of [this.#drawing, this.#modes.element]) element.classList.toggle("stale", isStale);
    this.#line.stale(isStale);
  }

  async #read(editor: Editor): Promise<Pasted | undefined> {
    const { value, problem } = readJson(editor.text);
    editor.complain(problem);
    if (problem !== undefined) return undefined;
    try {
      return await readPasted(value);
    } catch (error) {
      editor.complain((error as Error).message);
      return undefined;
    }
  }

  /** Scores messages; what it returns draws them. */
  async #compare(output: Messages, reference: Messages): Promise<() => void> {
    this.#overrides.tools = [...callsIn(output.messages), ...callsIn(reference.messages)].map(
      ({ name }) => name,
    );
    const rules: Rules = {
      toolArgsMatchMode: this.#args.value as ToolArgsMatchMode,
      toolArgsMatchOverrides: this.#overrides.value,
    };
    const sides = { outputs: output.value, referenceOutputs: reference.value };
    const found = await verdicts(sides, rules);
    const chosen = found.find(({ mode }) => mode === this.#modes.mode) as Verdict;
    const pairs = await matches(chosen, output.messages, reference.messages, rules);
    const why = await reasons(output.messages, reference.messages, pairs);
    const expected = callsIn(reference.messages).map(({ name }) => name);
    const policy = await this.#policy.judge(output.value);
    const judged = typeof policy === "object" ? policy : undefined;
    return () => {
      this.#policy.element.hidden = false;
      this.#modes.show(found);
      this.#policy.show(policy, expected);
      this.#lanes.show({
        outputs: output.messages,
        referenceOutputs: reference.messages,
        pairs,
        reasons: why,
        broken: judged?.broken ?? [],
      });
      this.#drawing.replaceChildren(this.#lanes.element);
      this.#line.show([
        { key: chosen.mode, score: chosen.score },
        { key: "F1", score: chosen.f1 },
        ...(judged ? [{ key: "Policy", score: judged.score }] : []),
      ]);
      this.#speak(found.map(({ mode, score, f1 }) => `${mode} ${score}, F1 ${shown(f1)}`).join("; "));
      this.#code.show(codeOf(sides, chosen, rules) + (judged ? policyCodeOf(sides.outputs, judged) : ""));
    };
  }

  async #compareGraphs(output: Pasted, reference: Pasted): Promise<() => void> {
    if (output.kind !== "graph" || reference.kind !== "graph") {
      throw new Error(
        "One side is a thread of LangGraph, and the other one has messages: they cannot be compared.",
      );
    }
    const sides = { outputs: output.value, referenceOutputs: reference.value };
    const { score, comment } = await graphTrajectoryStrictMatch(sides);
    return () => {
      for (const { element } of [this.#modes, this.#policy]) element.hidden = true;
      const [did, should] = [output.value.steps, reference.value.steps];
      this.#drawing.replaceChildren(
        h(
          "p",
          { class: "graph-verdict" },
          h("code", {}, "graphTrajectoryStrictMatch"),
          verdictOf(score as boolean),
          h("span", { class: "quiet" }, comment ?? ""),
        ),
        h("div", { class: "lanes" }, stepsOf("Output", did, should), stepsOf("Reference", should, did)),
      );
      this.#line.show([{ key: "The same steps", score: score as boolean }]);
      this.#speak(`The same steps: ${score}`);
      this.#code.show(graphCodeOf(output.value, reference.value, score as boolean));
    };
  }

  #words = "";

  #speak(words: string): void {
    this.#words = words;
    this.#speakSoon();
  }

  readonly #speakSoon = inPause(600, () => say(this.#spoken, this.#words));
}
