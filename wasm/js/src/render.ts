import { Ops } from './caller.js';
import type { Caller } from './caller.js';
import type { Bytes } from './json.js';
import type { Line, RenderOptions } from './mailTypes.js';

/**
 * The ops that make a stranger's text safe to show. Every method is one call of
 * the module. A text may hold any bytes, at most 16 MiB of them.
 */
export class Render {
  readonly #ops: Ops;

  constructor(caller: Caller) {
    this.#ops = new Ops(caller);
  }

  /** Makes a text one line of at most max characters. Default: any length. */
  line(text: Bytes, max?: number): Line {
    return this.#ops.json('render.line', { max }, text);
  }

  /** Makes a text of several lines safe to show as plain text. It is no HTML. */
  text(text: Bytes): string {
    return this.#ops.text('render.text', {}, text);
  }

  /** Makes a stranger's Markdown safe for any client. */
  markdown(text: Bytes, options: RenderOptions = {}): string {
    return this.#ops.text('render.markdown', options, text);
  }

  /** Makes of a stranger's Markdown a fragment that is safe in a page. */
  html(text: Bytes, options: RenderOptions = {}): string {
    return this.#ops.text('render.html', options, text);
  }

  /** Gives a name or title as one line of Markdown that shows it and nothing else. */
  escape(text: Bytes): string {
    return this.#ops.text('render.escape', {}, text);
  }

  /** Gives an id or address as a code span of Markdown, on one line. */
  code(text: Bytes): string {
    return this.#ops.text('render.code', {}, text);
  }

  /** Gives a text as a code block of Markdown that it cannot end. */
  block(text: Bytes): string {
    return this.#ops.text('render.block', {}, text);
  }
}
