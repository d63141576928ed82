/** The full stop of messages: those of others may have one, and a sentence has exactly one. */

/** The text without its full stop. */
export const withoutStop = (text: string): string => text.replace(/\.$/, "");

/** The text with a full stop, unless it is a question. */
export const withStop = (text: string): string => (/[.?]$/.test(text) ? text : `${text}.`);
