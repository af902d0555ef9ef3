// Markdown made of our words and of strangers'. Every word of a stranger goes
// through the core's renderer first.

import { join } from '../fill';
import type { Calls } from './calls';
import { limits } from './limits';

/** Makes a stranger's words safe for the places of a document. */
export class Prose {
  readonly #calls: Calls;
  readonly #most: number;

  /** `most` is the longest name, title or id, in UTF-16 code units. */
  constructor(calls: Calls, most: number = limits.tool) {
    this.#calls = calls;
    this.#most = most;
  }

  /** Returns one line of plain text, for rows. It is not safe in Markdown. */
  async line(text: string, max = 160): Promise<string> {
    // Plain names and dates need no call, and rows have many of them.
    if (text.length <= max && /^[A-Za-z0-9 .,:/@_+()-]*$/.test(text)) return text.trim();
    return (await this.#calls.json('render.line', { max }, [text])).line;
  }

  /** Returns one line of Markdown that shows just the text. */
  inline(text: string): Promise<string> {
    return this.#calls.text('render.escape', {}, cut(text, this.#most));
  }

  /** Returns an id, path or address as a code span. */
  code(text: string): Promise<string> {
    return this.#calls.text('render.code', {}, cut(text, this.#most));
  }

  async block(text: string): Promise<string> {
    return (await this.#calls.text('render.block', {}, cut(text, limits.tool))).replace(/^\n+|\n+$/g, '');
  }

  /** Returns a stranger's Markdown, with headings below ours. */
  async markdown(text: string, most: number = limits.body): Promise<string> {
    return (
      await this.#calls.text('render.markdown', { topHeading: 4, maxBytes: Math.floor(most) }, text)
    ).trim();
  }

  async list(texts: readonly string[]): Promise<string> {
    const lines = await Promise.all(texts.slice(0, limits.shown).map((text) => this.inline(text)));
    return lines.map((line) => `- ${line}`).join('\n');
  }
}

/** Returns a text cut to a length, with "…" at the end. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  // Never between the two halves of a character.
  const end = /[\uD800-\uDBFF]/.test(text.charAt(most - 1)) ? most - 1 : most;
  return `${text.slice(0, end)}…`;
}

/** Joins facts on one line. Empty ones are left out. */
export function facts(...list: readonly string[]): string {
  return join(list, ' · ');
}

/** Joins the parts of a document with empty lines. Empty parts are left out. */
export function paragraphs(...parts: readonly string[]): string {
  return join(parts, '\n\n');
}
