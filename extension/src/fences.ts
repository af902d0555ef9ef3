// Strangers' words in our Markdown documents, fenced or escaped: a preview shows
// what they wrote and never acts on it.

/** Returns a text in a code fence that nothing in the text can close. */
export function fenced(text: string, language = 'text'): readonly string[] {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return [`${fence}${language}`, text, fence];
}

function longestRun(text: string): number {
  return Math.max(0, ...Array.from(text.matchAll(/`+/g), (match) => match[0].length));
}

/**
 * Returns a text as one line with all Markdown escaped. Underscores inside words
 * are not markup and stay: ids are full of them.
 */
export function inline(text: string): string {
  return text.replace(/\s+/g, ' ').replace(markup, '\\$&');
}

const markup = /[\\`*{}[\]()#!<>|~&]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu;
