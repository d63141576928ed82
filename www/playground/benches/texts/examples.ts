import type { Example } from "../../bench.js";

const json = (value: unknown): string => JSON.stringify(value, undefined, 2);

export const EXAMPLES: Example[] = [
  {
    name: "A misspelt name",
    state: {
      mode: "text",
      outputs: "Las Meninas was painted by Diego Velasquez in 1665.",
      reference: "Las Meninas was painted by Diego Velázquez in 1656.",
    },
  },
  {
    name: "A summary",
    state: {
      mode: "text",
      outputs:
        "The meeting moved to Thursday, 14:30, since the auditors arrive a day late. Priya brings the revised figures; " +
        "everybody else reads them before.",
      reference:
        "The meeting was moved to Thursday at 14:30 because the auditors arrive a day late. Priya brings the revised " +
        "budget, and everybody reads it beforehand.",
    },
  },
  {
    name: "A receipt",
    state: {
      mode: "json",
      outputs: json({
        vendor: "Café Zoë",
        date: "2026-09-03",
        items: ["flat white", "flat white"],
        total: 8.4,
      }),
      reference: json({
        date: "2026-03-09",
        vendor: "Café Zoë",
        total: 8.4,
        items: ["flat white", "flat white"],
        paid_by: "card",
      }),
    },
  },
  {
    name: "A list of people",
    state: {
      mode: "json",
      outputs: json([
        { name: "Grace Hopper", born: 1906, field: "compilers" },
        { name: "Ada Lovelace", born: 1816, field: "analytical engine" },
      ]),
      reference: json([
        { name: "Ada Lovelace", born: 1815, field: "analytical engine" },
        { name: "Grace Hopper", born: 1906, field: "compilers" },
        { name: "Mary Somerville", born: 1780, field: "astronomy" },
      ]),
    },
  },
];
