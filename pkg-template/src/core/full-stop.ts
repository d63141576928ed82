/** The full stop of messages: those of others may have one, and a sentence has exactly one. */

export const withoutStop = (text: string): string => text.replace(/\.$/, "");

export const withStop = (text: string): string => `${withoutStop(text)}.`;
