/** The outcome of one run of a simulation, by the name of its row in the table. */

/** `outcome` is that of the design, or an object with an outcome for each question that the run answers. */
export const outcomesOf = (design, outcome) =>
  typeof outcome === "object"
    ? Object.fromEntries(Object.entries(outcome).map(([name, one]) => [`${name}, ${design}`, one]))
    : { [design]: outcome };
