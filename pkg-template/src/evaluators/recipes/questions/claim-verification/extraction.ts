import { DECOMPOSITION } from "./decomposition.js";
import { DISAMBIGUATION } from "./disambiguation.js";
import { SELECTION } from "./selection.js";
import { forOneAndSeveral } from "./several.js";

/** The steps that extract claims, in their order, in the form for the engine. */
export const extractionSteps = () => ({
  selection: forOneAndSeveral(SELECTION, "sentence"),
  disambiguation: forOneAndSeveral(DISAMBIGUATION, "sentence"),
  decomposition: forOneAndSeveral(DECOMPOSITION, "sentence"),
});
