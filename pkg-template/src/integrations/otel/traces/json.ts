/** An object of JSON, before its fields are checked. */
export type Json = Record<string, unknown>;
