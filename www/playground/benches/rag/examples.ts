/** Examples with the answers of a judge. They were written for the bench: what a good model would say. */

export interface RagExample {
  name: string;
  inputs: string;
  contexts: string[];
  outputs: string;
  reference: string;
  /** The claims of each sentence, and for each claim its reason and the contexts that support it. */
  claims: Record<string, Record<string, Support>>;
  /** For each context: whether it was useful for the reference, and whether it serves the question. */
  useful: [verdict: 0 | 1, reason: string][];
  relevant: [verdict: 0 | 1, reason: string, sentences: string[]][];
  /** The entities of texts. */
  entities: Record<string, string[]>;
}

/** What supports a claim: contexts by their index, and the other side (the reference, or the answer). */
export interface Support {
  contexts: number[];
  reason: string;
  /** Whether the other side supports it, and why. */
  other: [verdict: 0 | 1, reason: string];
}

const BIKES = [
  "City bikes may be rented from 6 a.m. to 11 p.m. The first half hour is free. After that, each hour is 3 francs.",
  "Our workshop repairs bikes of all brands on weekdays.",
  "Helmets are available at the stations Harbor and Old Town. They cost 5 francs a day.",
  "Bikes can be returned at any station. Who returns one after 11 p.m. pays 20 francs.",
];

const ZUG = [
  "Faltbare Fahrräder reisen als Handgepäck kostenlos mit. Für alle anderen braucht es eine Velokarte zu 15 Franken.",
  "In den Zügen nach Seewil müssen Fahrräder von April bis Oktober reserviert werden.",
];

export const RAG_EXAMPLES: RagExample[] = [
  {
    name: "Renting a bike",
    inputs: "What does it cost to rent a city bike for two hours, and where do I get a helmet?",
    contexts: BIKES,
    outputs:
      "The first half hour is free, and each hour after that is 3 francs. You get a helmet at any station for 5 francs a day. " +
      "Return the bike by 11 p.m., or you pay 20 francs. Children ride for free.",
    reference:
      "The first 30 minutes are free, then an hour is 3 francs. Helmets are at the stations Harbor and Old Town.",
    claims: {
      "The first half hour is free, and each hour after that is 3 francs.": {
        "The first half hour of a city bike rental is free.": {
          contexts: [0],
          reason: "The first context says so.",
          other: [1, "30 minutes are half an hour."],
        },
        "Each hour of a city bike rental after the first half hour costs 3 francs.": {
          contexts: [0],
          reason: "The first context has the price.",
          other: [1, "The reference has the same price."],
        },
      },
      "You get a helmet at any station for 5 francs a day.": {
        "Helmets are available at any station.": {
          contexts: [],
          reason: "Only two stations have helmets.",
          other: [0, "The reference names two stations."],
        },
        "A helmet costs 5 francs a day.": {
          contexts: [2],
          reason: "The third context has the price.",
          other: [0, "The reference does not say what a helmet costs."],
        },
      },
      "Return the bike by 11 p.m., or you pay 20 francs.": {
        "Returning a city bike after 11 p.m. costs 20 francs.": {
          contexts: [3],
          reason: "The last context says so.",
          other: [0, "The reference does not mention late returns."],
        },
      },
      "Children ride for free.": {
        "Children rent city bikes for free.": {
          contexts: [],
          reason: "No context mentions children.",
          other: [0, "The reference does not mention children."],
        },
      },
      "The first 30 minutes are free, then an hour is 3 francs.": {
        "The first 30 minutes of a city bike rental are free.": {
          contexts: [0],
          reason: "Half an hour is 30 minutes.",
          other: [1, "The answer says so."],
        },
        "An hour of a city bike rental after the first 30 minutes costs 3 francs.": {
          contexts: [0],
          reason: "The first context has the price.",
          other: [1, "The answer has the same price."],
        },
      },
      "Helmets are at the stations Harbor and Old Town.": {
        "Helmets are available at the stations Harbor and Old Town.": {
          contexts: [2],
          reason: "The third context names both stations.",
          other: [0, "The answer says that every station has helmets."],
        },
      },
    },
    useful: [
      [1, "It has the free half hour and the price."],
      [0, "Repairs do not matter here."],
      [1, "It names the stations with helmets."],
      [0, "The reference does not use it."],
    ],
    relevant: [
      [1, "It has the price.", ["The first half hour is free.", "After that, each hour is 3 francs."]],
      [0, "It is about repairs.", []],
      [
        1,
        "It says where helmets are.",
        ["Helmets are available at the stations Harbor and Old Town.", "They cost 5 francs a day."],
      ],
      [0, "The question is not about returns.", []],
    ],
    entities: {
      "The first 30 minutes are free, then an hour is 3 francs. Helmets are at the stations Harbor and Old Town.":
        ["30 minutes", "3 francs", "Harbor", "Old Town"],
      [BIKES[0] as string]: ["6 a.m.", "11 p.m.", "half hour", "3 francs"],
      [BIKES[1] as string]: [],
      [BIKES[2] as string]: ["Harbor", "Old Town", "5 francs"],
      [BIKES[3] as string]: ["11 p.m.", "20 francs"],
    },
  },
  {
    name: "In German",
    inputs: "Kann ich mein Velo im Zug nach Seewil mitnehmen?",
    contexts: ZUG,
    outputs: "Ja, mit einer Velokarte zu 15 Franken. Im Sommer müssen Sie reservieren.",
    reference: "Ja, mit einer Velokarte zu 15 Franken und von April bis Oktober mit Reservation.",
    claims: {
      "Ja, mit einer Velokarte zu 15 Franken.": {
        "Für ein Velo im Zug nach Seewil braucht es eine Velokarte zu 15 Franken.": {
          contexts: [0],
          reason: "Der erste Text nennt die Karte und den Preis.",
          other: [1, "So steht es in der Referenz."],
        },
      },
      "Im Sommer müssen Sie reservieren.": {
        "Im Zug nach Seewil müssen Velos im Sommer reserviert werden.": {
          contexts: [1],
          reason: "Der Sommer liegt zwischen April und Oktober.",
          other: [1, "Der Sommer liegt zwischen April und Oktober."],
        },
      },
      "Ja, mit einer Velokarte zu 15 Franken und von April bis Oktober mit Reservation.": {
        "Velos reisen im Zug nach Seewil mit einer Velokarte zu 15 Franken.": {
          contexts: [0],
          reason: "Der erste Text nennt die Karte und den Preis.",
          other: [1, "So steht es in der Antwort."],
        },
        "Velos im Zug nach Seewil müssen von April bis Oktober reserviert werden.": {
          contexts: [1],
          reason: "Der zweite Text nennt diese Monate.",
          other: [0, "Die Antwort nennt nur den Sommer."],
        },
      },
    },
    useful: [
      [1, "Er nennt die Karte."],
      [1, "Er nennt die Monate mit Reservation."],
    ],
    relevant: [
      [1, "Er sagt, was es braucht.", ["Für alle anderen braucht es eine Velokarte zu 15 Franken."]],
      [1, "Er sagt, wann reserviert wird.", [ZUG[1] as string]],
    ],
    entities: {
      "Ja, mit einer Velokarte zu 15 Franken und von April bis Oktober mit Reservation.": [
        "15 Franken",
        "April",
        "Oktober",
      ],
      [ZUG[0] as string]: ["15 Franken"],
      [ZUG[1] as string]: ["Seewil", "April", "Oktober"],
    },
  },
];
