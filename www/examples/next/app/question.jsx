"use client";

import { levenshteinDistance } from "openevals-wasm";
import { useState } from "react";

/** Says in the browser how near an answer is, as it is typed; the server has the last word. */
export function Question({ index, question, answer }) {
  const [typed, setTyped] = useState("");
  const [near, setNear] = useState(0);
  const [said, setSaid] = useState("");

  async function type(outputs) {
    setTyped(outputs);
    const { score } = await levenshteinDistance({ outputs, referenceOutputs: answer });
    setNear(score);
  }

  async function ask(route) {
    setSaid("…");
    const response = await fetch(route, { method: "POST", body: JSON.stringify({ index, outputs: typed }) });
    const { score, comment, error } = await response.json();
    setSaid(error ?? [score ? "Right." : "Not right.", comment].filter(Boolean).join(" "));
  }

  return (
    <section>
      <h2>{question}</h2>
      <input aria-label={question} value={typed} onChange={(event) => type(event.target.value)} />
      <meter aria-label="How near it is" value={near} />
      <button type="button" onClick={() => ask("/api/check")}>
        Check
      </button>
      <button type="button" onClick={() => ask("/api/grade")}>
        Have it graded
      </button>
      <p role="status">{said}</p>
    </section>
  );
}
