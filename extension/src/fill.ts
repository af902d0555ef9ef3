// Puts values into translated texts. A value is never read as a pattern.

/** Returns the text with {0}, {1} … replaced by the values. */
export function fill(words: string, ...values: readonly string[]): string {
  return words.replace(/\{(\d)\}/g, (place, index: string) => values[Number(index)] ?? place);
}

/** Joins the parts that are not empty. */
export function join(parts: readonly string[], between: string): string {
  return parts.filter((part) => part !== '').join(between);
}

/** Translates a text into the user's language, like vscode.l10n.t. */
export type Translate = (text: string, ...values: string[]) => string;
