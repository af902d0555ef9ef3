// Strangers' words in Markdown documents: in fences and escaped, so that a
// preview of such a document shows what was said and never acts on it.

/** A text in a code fence that nothing in it can end. */
export function fenced(text: string, language = 'text'): readonly string[] {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return [`${fence}${language}`, text, fence];
}

function longestRun(text: string): number {
  return Math.max(0, ...Array.from(text.matchAll(/`+/g), (match) => match[0].length));
}

/**
 * One line with every character escaped that Markdown could read as markup. An
 * underscore within a word is none, and ids are full of them.
 */
export function inline(text: string): string {
  return text.replace(/\s+/g, ' ').replace(markup, '\\$&');
}

const markup = /[\\`*{}[\]()#!<>|~&]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu;
