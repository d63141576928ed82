/**
 * A conversation with answers to all that the recipes ask about it, so that they can be tried without a model. The answers
 * are made up: they are what a good model would say.
 */

import type { JudgeFunction, JudgeRequest } from "openevals-wasm";

const ANSWER =
  "On Thursdays the Harbor Museum is open from 10:00 to 20:00. A ticket is 18 francs, and students pay 10. " +
  "Guided tours are free on Sundays. I cannot book tickets, but the desk sells them.";

export const CONVERSATION = [
  {
    role: "system",
    content:
      "You answer questions about the Harbor Museum. You can search its pages. You cannot book, buy or change anything.",
  },
  {
    role: "user",
    content:
      "Please be brief, and no exclamation marks. When is the museum open on Thursdays, what is a ticket, and can you book one for me?",
  },
  {
    role: "assistant",
    content: "",
    tool_calls: [
      {
        id: "c1",
        type: "function",
        function: { name: "search_pages", arguments: '{"query":"opening hours tickets"}' },
      },
    ],
  },
  {
    role: "tool",
    tool_call_id: "c1",
    content:
      "The Harbor Museum is open from Tuesday to Sunday, 10:00 to 17:00.\nOn Thursdays it stays open until 20:00.\n" +
      "Tickets: 18 francs, students 12 francs.",
  },
  { role: "assistant", content: ANSWER },
];

export const TOOLS = [
  {
    type: "function",
    function: {
      name: "search_pages",
      description: "Searches the pages of the museum.",
      parameters: { type: "object", properties: { query: { type: "string" } }, required: ["query"] },
    },
  },
];

export const CRITERIA =
  "The answer names the opening hours\nThe answer says how to get a ticket\nThe answer links to a page";

interface Claim {
  claim: string;
  proof: string;
  /** The lines of the source, counted from 0: the first, and the one behind the last. */
  lines?: [number, number];
}

const CLAIMS: Record<string, Claim[]> = {
  "On Thursdays the Harbor Museum is open from 10:00 to 20:00.": [
    {
      claim: "On Thursdays the Harbor Museum is open from 10:00 to 20:00",
      proof:
        "Thursday is between Tuesday and Sunday, so it opens at 10:00; on Thursdays it stays open until 20:00.",
      lines: [0, 2],
    },
  ],
  "A ticket is 18 francs, and students pay 10.": [
    { claim: "A ticket [of the Harbor Museum] is 18 francs", proof: "The source says so.", lines: [2, 3] },
    {
      claim: "Students pay 10 francs [for a ticket of the Harbor Museum]",
      proof: "The source has 12 francs for students, not 10.",
    },
  ],
  "Guided tours are free on Sundays.": [
    {
      claim: "Guided tours [of the Harbor Museum] are free on Sundays",
      proof: "No source mentions guided tours.",
    },
  ],
};

const CRITERIA_MET: Record<string, [number, string]> = {
  "The answer names the opening hours": [0.97, "It says from when to when the museum is open on Thursdays."],
  "The answer says how to get a ticket": [0.85, "The desk sells them, it says; not where the desk is."],
  "The answer links to a page": [0.02, "There is no link in it."],
};

const PREFERENCES: Record<string, [number, string]> = {
  "Answers are brief.": [90, "Four short sentences for three questions."],
  "Answers have no exclamation marks.": [100, "There is none."],
};

/** Whether it can be answered from here. */
export const isRecorded = (conversation: string): boolean =>
  conversation.trim() === JSON.stringify(CONVERSATION, undefined, 2);

/** Answers what recipes ask about {@link CONVERSATION}. */
export const recorded: JudgeFunction = ({ messages, schema }) => {
  const answer = answerTo(Object.keys(propertiesOf(schema)), textOf(messages));
  if (answer) return answer;
  throw new Error(
    "There is no recorded answer to this. Pick a model to ask about conversations of your own.",
  );
};

const propertiesOf = (schema: JudgeRequest["schema"] | undefined): object =>
  (schema?.properties as object | undefined) ?? {};

const textOf = (messages: JudgeRequest["messages"]): string =>
  messages.map(({ content }) => content).join("\n");

const block = (name: string, text: string): string =>
  new RegExp(`<${name}>\\n([\\s\\S]*?)\\n</${name}>`).exec(text)?.[1]?.trim() ?? "";

function answerTo(fields: string[], text: string): object | undefined {
  const has = (field: string) => fields.includes(field);
  if (has("proof")) return verification(block("claim", text));
  if (has("final_submission") || has("decontextualized_sentences") || has("max_clarified_sentence"))
    return aboutSentence(has, block("sentence", text));
  if (has("preferences")) return preferences(text);
  if (has("adherence_probability")) {
    const [probability, reasoning] = PREFERENCES[block("preference", text)] ?? [50, "Nobody can tell."];
    return {
      reasoning,
      adherence_probability: probability,
      determination: probability > 50 ? "adhered" : "did_not_adhere",
    };
  }
  if (has("tool_evaluations")) {
    const reasoning = "Hours and prices are facts that only the pages of the museum tell.";
    return { tool_evaluations: [{ tool_name: "search_pages", reasoning, probability: 95 }] };
  }
  if (has("is_in_scope_probability")) {
    return {
      capabilities_analysis: "The user wants facts, which the search finds, and a booking.",
      sufficient_capabilities: "Booking is ruled out.",
      in_scope_reasoning: "A part of the request, the booking, cannot be done.",
      is_in_scope_probability: 30,
    };
  }
  if (has("score") && has("reasoning"))
    return {
      reasoning: "“I cannot book tickets, but the desk sells them” says it plainly, and offers a way.",
      score: 92,
    };
  if (has("probability")) {
    const [probability, reasoning] = CRITERIA_MET[block("criterion", text)] ?? [
      0.5,
      "Nothing is recorded of this one.",
    ];
    return { reasoning, probability };
  }
  return undefined;
}

function aboutSentence(has: (field: string) => boolean, sentence: string): object {
  const claims = CLAIMS[sentence]?.map(({ claim }) => claim) ?? [];
  if (has("final_submission")) {
    const verdict = claims.length ? "Contains" : "Does NOT contain";
    return {
      sentence,
      thought_process: "",
      final_submission: `${verdict} a specific and verifiable proposition`,
      sentence_with_verifiable_info: claims.length ? "remains unchanged" : "None",
    };
  }
  if (has("decontextualized_sentences")) {
    return {
      incomplete_names_acronyms_abbreviations_reasoning: "",
      linguistic_ambiguity_reasoning: "",
      changes_needed_reasoning: "",
      changes_needed: false,
      decontextualized_sentences: [sentence],
    };
  }
  return {
    sentence,
    referential_terms_to_clarify: "None",
    max_clarified_sentence: sentence,
    range_of_possible_propositions: String(claims.length),
    specific_verifiable_decontextualized_propositions: claims.map((claim) =>
      claim.replaceAll(/ \[[^\]]*\]/g, ""),
    ),
    specific_verifiable_decontextualized_propositions_with_clarifications: claims,
  };
}

function verification(asked: string): object {
  const found = Object.values(CLAIMS)
    .flat()
    .find(({ claim }) => claim === asked);
  const lines = found?.lines;
  return {
    proof: found?.proof ?? "",
    citations: lines ? [{ source_id: "3", start_range: lines[0], end_range: lines[1] }] : [],
    verified_probability: lines ? 96 : 3,
    open_domain_justification: lines ? "" : "Prices and tours of a museum are not common knowledge.",
    open_domain_probability: lines ? 0 : 5,
    is_open_domain: false,
  };
}

/** The line of the user's wishes has a number in front of it. */
function preferences(text: string): object {
  const line = Number(/^\D*?(\d+).*no exclamation marks/m.exec(text)?.[1] ?? 0);
  return {
    preferences: Object.keys(PREFERENCES).map((preference) => ({
      start_line: line,
      end_line: line,
      preference,
    })),
  };
}
