// Markdown made of our words and of strangers'. Every word of a stranger goes
// through the core's renderer: nothing of it is put into a document as it is.

import type { Calls } from './calls';
import { limits } from './limits';

/** A stranger's words for the places of a document. */
export class Prose {
  readonly #calls: Calls;
  readonly #most: number;

  /** most is how long a name, title or id may be, in UTF-16 code units. */
  constructor(calls: Calls, most: number = limits.tool) {
    this.#calls = calls;
    this.#most = most;
  }

  /** As plain text on one line: for rows, never for Markdown. */
  async line(text: string, max = 160): Promise<string> {
    // What is plain needs no look: rows have many short names and dates.
    if (text.length <= max && /^[A-Za-z0-9 .,:/@_+()-]*$/.test(text)) return text.trim();
    return (await this.#calls.json('render.line', { max }, [text])).line;
  }

  /** As one line of Markdown that shows it and nothing else. */
  inline(text: string): Promise<string> {
    return this.#calls.text('render.escape', {}, cut(text, this.#most));
  }

  /** An id, path or address as a code span. */
  code(text: string): Promise<string> {
    return this.#calls.text('render.code', {}, cut(text, this.#most));
  }

  /** A text that nobody meant as Markdown. */
  async block(text: string): Promise<string> {
    return (await this.#calls.text('render.block', {}, cut(text, limits.tool))).replace(/^\n+|\n+$/g, '');
  }

  /** A stranger's Markdown, with headings below ours. */
  async markdown(text: string, most: number = limits.body): Promise<string> {
    return (
      await this.#calls.text('render.markdown', { topHeading: 4, maxBytes: Math.floor(most) }, text)
    ).trim();
  }

  /** Names, each on a line of a list. */
  async list(texts: readonly string[]): Promise<string> {
    const lines = await Promise.all(texts.slice(0, limits.shown).map((text) => this.inline(text)));
    return lines.map((line) => `- ${line}`).join('\n');
  }
}

/** The beginning of a text, with a mark where it was cut. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  // Not between the halves of a character.
  const end = /[\uD800-\uDBFF]/.test(text.charAt(most - 1)) ? most - 1 : most;
  return `${text.slice(0, end)}…`;
}

/** Facts on one line, without those that are empty. */
export function facts(...list: readonly string[]): string {
  return list.filter((fact) => fact !== '').join(' · ');
}

/** The parts of a document with an empty line between them, without those that are empty. */
export function paragraphs(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n');
}
