/** A text up to its first line feed. */
export const firstLine = (text: string): string => text.split("\n", 1)[0] as string;
