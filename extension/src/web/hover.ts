// Previews of ids and thread names, in any file.

import * as vscode from 'vscode';
import { bytesOf } from './calls';
import { previewOf } from './look';
import type { Mailroom } from './mailroom';
import { reasonOf, type Key, type Target } from './model';
import { unitAt } from './ranges';

/** Only this much of a line on either side of the pointer is looked at. */
const reach = 256;

/** How many hovered threads can still be opened from an open hover. */
const openable = 50;

interface Hit {
  readonly target: Target;
  readonly range: vscode.Range;
}

export class Hover implements vscode.HoverProvider, vscode.Disposable {
  readonly #mailroom: Mailroom;
  readonly #log: vscode.LogOutputChannel;
  readonly #links = new Map<number, Key>();
  readonly #disposables: vscode.Disposable[];
  #lastLink = 0;

  constructor(mailroom: Mailroom, log: vscode.LogOutputChannel, open: (key: Key) => void) {
    this.#mailroom = mailroom;
    this.#log = log;
    this.#disposables = [
      vscode.languages.registerHoverProvider({ scheme: '*' }, this),
      vscode.commands.registerCommand('signalbox.openHovered', (handle: unknown) => {
        const key = typeof handle === 'number' ? this.#links.get(handle) : undefined;
        if (key !== undefined) open(key);
      }),
    ];
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
  }

  async provideHover(
    document: vscode.TextDocument,
    position: vscode.Position,
    token: vscode.CancellationToken,
  ): Promise<vscode.Hover | undefined> {
    try {
      const hit = await this.#hit(document.lineAt(position.line).text, position, token);
      if (hit === undefined || token.isCancellationRequested) return undefined;
      const desk = await this.#mailroom.desk();
      const count = vscode.workspace.getConfiguration('signalbox').get<unknown>('hover.maxMessages');
      const shown = typeof count === 'number' && count >= 1 ? Math.min(5, Math.floor(count)) : 5;
      const preview = new vscode.MarkdownString(
        await previewOf(desk, await this.#mailroom.look(), hit.target, shown),
      );
      preview.isTrusted = false;
      preview.supportHtml = false;
      return new vscode.Hover([this.#link(hit.target.key), preview], hit.range);
    } catch (error) {
      this.#log.debug(`hover: ${reasonOf(error)}`);
      return undefined;
    }
  }

  /** The longest token at a position that leads somewhere. */
  async #hit(
    line: string,
    position: vscode.Position,
    token: vscode.CancellationToken,
  ): Promise<Hit | undefined> {
    const from = Math.max(0, position.character - reach);
    const text = line.slice(from, position.character + reach);
    if (text.trim() === '') return undefined;
    const { calls } = await this.#mailroom.desk();
    const { mentions } = await calls.json('mail.links', {}, [bytesOf(text)]);
    if (mentions.length === 0 || token.isCancellationRequested) return undefined;
    const tokens = await this.#mailroom.tokens();
    const longest = [...mentions].sort((a, b) => b.length - a.length);
    for (const mention of longest) {
      const start = from + unitAt(text, mention.offset);
      const end = from + unitAt(text, mention.offset + mention.length);
      const target = tokens.get(mention.token);
      if (target === undefined || position.character < start || position.character > end) continue;
      return { target, range: new vscode.Range(position.line, start, position.line, end) };
    }
    return undefined;
  }

  /** The link is ours: no word of a stranger stands in it. */
  #link(key: Key): vscode.MarkdownString {
    const handle = ++this.#lastLink;
    this.#links.set(handle, key);
    this.#links.delete(handle - openable);
    const link = new vscode.MarkdownString('', true);
    link.isTrusted = { enabledCommands: ['signalbox.openHovered'] };
    const label = vscode.l10n.t('Open in Signalbox');
    link.appendMarkdown(
      `[$(comment-discussion) ${label}](command:signalbox.openHovered?${encodeURIComponent(`[${handle}]`)})`,
    );
    return link;
  }
}
