/** A JSON object with unchecked fields. */
export type Json = Record<string, unknown>;
