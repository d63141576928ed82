import { fail } from "@sveltejs/kit";
import { bleu, chrf, ter } from "openevals-wasm/text";
import { REFERENCES, SOURCE } from "./translation.js";

export const load = () => ({ source: SOURCE });

export const actions = {
  /** The figures that count are those of the server. */
  async default({ request }) {
    const translation = String((await request.formData()).get("translation") ?? "").trim();
    if (!translation) return fail(400, { missing: true });
    const results = await Promise.all([chrf, bleu, ter].map((metric) => metric(translation, REFERENCES)));
    return { translation, scores: results.map(({ key, score }) => ({ key, score })) };
  },
};
