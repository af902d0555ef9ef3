// Previews of ids and thread names, in any file.

import * as vscode from 'vscode';
import { bytesOf } from './calls';
import { previewOf } from './look';
import type { Mailroom } from './mailroom';
import { reasonOf, type Key, type Target } from './model';
import { unitAt } from './ranges';
import { HoverLinks, untrusted } from '../links/hoverLinks';
import { Registrations } from '../registrations';

/** Only this much of a line on either side of the pointer is searched. */
const reach = 256;

interface Hit {
  readonly target: Target;
  readonly range: vscode.Range;
}

export class Hover extends Registrations implements vscode.HoverProvider {
  readonly #mailroom: Mailroom;
  readonly #log: vscode.LogOutputChannel;
  readonly #links: HoverLinks<Key>;

  constructor(mailroom: Mailroom, log: vscode.LogOutputChannel, open: (key: Key) => void) {
    super();
    this.#mailroom = mailroom;
    this.#log = log;
    this.#links = new HoverLinks(open);
    this.register(this.#links, vscode.languages.registerHoverProvider({ scheme: '*' }, this));
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
      const preview = await previewOf(desk, await this.#mailroom.look(), hit.target, shown);
      const label = vscode.l10n.t('Open in Signalbox');
      const link = { target: hit.target.key, icon: 'comment-discussion', label };
      return new vscode.Hover([this.#links.markdown([link]), untrusted(preview)], hit.range);
    } catch (error) {
      this.#log.debug(`hover: ${reasonOf(error)}`);
      return undefined;
    }
  }

  /** Returns the longest known token at a position. */
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
}
