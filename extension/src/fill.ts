// Putting values into translated words. Values are never read as patterns.

/** The words with {0}, {1} … replaced by values. */
export function fill(words: string, ...values: readonly string[]): string {
  return words.replace(/\{(\d)\}/g, (place, index: string) => values[Number(index)] ?? place);
}

/** The parts that are not empty, with something between them. */
export function join(parts: readonly string[], between: string): string {
  return parts.filter((part) => part !== '').join(between);
}

/** Puts a text into the user's language, as vscode.l10n.t does. */
export type Translate = (text: string, ...values: string[]) => string;
