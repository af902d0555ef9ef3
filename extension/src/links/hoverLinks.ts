// The parts of a hover: our own links, and a preview of a stranger's text.

import * as vscode from 'vscode';
import { Registrations } from '../registrations';

const command = 'signalbox.openHovered';

/** How many links of earlier hovers still work. */
const openable = 50;

/** A link of a hover. Its label is Markdown: our own words, or a stranger's with all markup escaped. */
export interface HoverLink<Target> {
  readonly target: Target;
  readonly icon: string;
  readonly label: string;
}

/** Links that run our own command. It has only the number of a target, and no words of a stranger. */
export class HoverLinks<Target> extends Registrations {
  readonly #targets = new Map<number, Target>();
  #last = 0;

  constructor(open: (target: Target) => void) {
    super();
    this.register(
      vscode.commands.registerCommand(command, (handle: unknown) => {
        const target = typeof handle === 'number' ? this.#targets.get(handle) : undefined;
        if (target !== undefined) open(target);
      }),
    );
  }

  /** Returns rows of links side by side. */
  markdown(...rows: readonly (readonly HoverLink<Target>[])[]): vscode.MarkdownString {
    const text = new vscode.MarkdownString('', true);
    text.isTrusted = { enabledCommands: [command] };
    const lines = rows.map((links) => links.map((link) => this.#markdownOf(link)).join(' · '));
    text.appendMarkdown(lines.filter((line) => line !== '').join('\n\n'));
    return text;
  }

  #markdownOf({ target, icon, label }: HoverLink<Target>): string {
    const handle = ++this.#last;
    this.#targets.set(handle, target);
    this.#targets.delete(handle - openable);
    return `[$(${icon}) ${label}](command:${command}?${encodeURIComponent(`[${handle}]`)})`;
  }
}

/** Returns a preview of a stranger's Markdown: not trusted and without HTML, so nothing in it can run a command. */
export function untrusted(markdown: string): vscode.MarkdownString {
  const preview = new vscode.MarkdownString(markdown);
  preview.isTrusted = false;
  preview.supportHtml = false;
  return preview;
}
