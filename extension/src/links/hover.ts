// Hover previews of message ids and thread names, in any file. Only the token
// under the pointer is sent to the server, never the document.

import { describeError, isCancelled } from '../server/failures';
import * as vscode from 'vscode';
import type { LinkIndex } from './linkIndex';
import { type Ref, type ResolvedLink } from '../protocol';
import { tokensAt, type Token } from './tokens';

/** How many hovered threads can still be opened from an open hover. */
const openable = 50;

/** How many threads of other formats a hover leads to. */
const relatedShown = 2;

/** What the link of a hover opens: a thread, at one message if the token named one. */
interface OpenableLink {
  readonly thread: Ref;
  readonly message: Ref | undefined;
}

/** Opens a thread, at a message if one is given. */
export type OpenLink = (thread: Ref, message: Ref | undefined) => void;

export class Hover implements vscode.HoverProvider, vscode.Disposable {
  readonly #index: LinkIndex;
  readonly #log: vscode.LogOutputChannel;
  readonly #open: OpenLink;
  readonly #links = new Map<number, OpenableLink>();
  readonly #disposables: vscode.Disposable[];
  #lastLink = 0;

  constructor(index: LinkIndex, log: vscode.LogOutputChannel, open: OpenLink) {
    this.#index = index;
    this.#log = log;
    this.#open = open;
    this.#disposables = [
      vscode.languages.registerHoverProvider({ scheme: '*' }, this),
      vscode.commands.registerCommand('signalbox.openHovered', (handle: unknown) => {
        const link = typeof handle === 'number' ? this.#links.get(handle) : undefined;
        if (link !== undefined) this.#open(link.thread, link.message);
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
      const patterns = await this.#index.patterns();
      const line = document.lineAt(position.line).text;
      const candidates = tokensAt(line, position.character, patterns);
      if (candidates.length === 0 || token.isCancellationRequested) return undefined;
      const links = await this.#index.resolve(
        candidates.map(({ text }) => text),
        token,
      );
      for (const candidate of candidates) {
        const link = links.get(candidate.text);
        if (link?.status === 'found') return this.#show(link, candidate, position.line);
      }
    } catch (error) {
      if (!isCancelled(error)) this.#log.debug(`hover: ${describeError(error)}`);
    }
    return undefined;
  }

  /**
   * The preview is the server's Markdown of a stranger's words: not trusted,
   * no HTML, so nothing in it can run a command. The link above it is ours
   * alone, in a Markdown of its own, and names the thread by a number.
   */
  #show(link: ResolvedLink, token: Token, line: number): vscode.Hover {
    const preview = new vscode.MarkdownString(link.preview ?? '');
    preview.isTrusted = false;
    preview.supportHtml = false;
    const thread = link.thread ?? link.message;
    // The link comes first: below a long message it would be out of sight.
    const contents =
      thread === undefined ? [preview] : [this.#openLinks({ thread, message: link.message }, link), preview];
    return new vscode.Hover(contents, new vscode.Range(line, token.start, line, token.end));
  }

  /** The links are ours: no word of a stranger stands in them. */
  #openLinks(target: OpenableLink, link: ResolvedLink): vscode.MarkdownString {
    const links = new vscode.MarkdownString('', true);
    links.isTrusted = { enabledCommands: ['signalbox.openHovered'] };
    const label = vscode.l10n.t('Open thread in Signalbox');
    links.appendMarkdown(this.#openLink(target, label, link.agent ?? false));
    for (const { ref, agent } of (link.related ?? []).slice(0, relatedShown)) {
      const label = agent
        ? vscode.l10n.t("Open the agent's thread")
        : vscode.l10n.t('Open the mail about it');
      links.appendMarkdown(` · ${this.#openLink({ thread: ref, message: undefined }, label, agent)}`);
    }
    return links;
  }

  #openLink(target: OpenableLink, label: string, agent: boolean): string {
    const handle = ++this.#lastLink;
    this.#links.set(handle, target);
    this.#links.delete(handle - openable);
    const icon = agent ? 'comment-discussion' : 'mail';
    return `[$(${icon}) ${label}](command:signalbox.openHovered?${encodeURIComponent(`[${handle}]`)})`;
  }
}
