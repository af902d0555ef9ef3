// Hover previews of message ids and thread names, in any file. Only the token
// under the pointer is sent to the server, never the document.

import * as vscode from 'vscode';
import type { Server } from './client';
import { describeError, isCancelled, type LinkPattern, type Ref, type ResolvedLink } from './protocol';
import { compilePatterns, tokensAt, type Token } from './tokens';

/** How many answers are remembered until something changes. */
const cacheSize = 200;

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
  readonly #server: Server;
  readonly #log: vscode.LogOutputChannel;
  readonly #open: OpenLink;
  readonly #cache = new Map<string, ResolvedLink>();
  readonly #links = new Map<number, OpenableLink>();
  readonly #disposables: vscode.Disposable[];
  #patterns: readonly RegExp[] = [];
  #compiledFrom: readonly LinkPattern[] | undefined;
  #lastLink = 0;

  constructor(server: Server, log: vscode.LogOutputChannel, open: OpenLink) {
    this.#server = server;
    this.#log = log;
    this.#open = open;
    const forget = (): void => {
      this.#cache.clear();
    };
    this.#disposables = [
      vscode.languages.registerHoverProvider({ scheme: '*' }, this),
      vscode.commands.registerCommand('signalbox.openHovered', (handle: unknown) => {
        const link = typeof handle === 'number' ? this.#links.get(handle) : undefined;
        if (link !== undefined) this.#open(link.thread, link.message);
      }),
      server.onDidChange(forget),
      server.onDidChangeStatus(forget),
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
      await this.#server.ensure();
      const line = document.lineAt(position.line).text;
      const candidates = tokensAt(line, position.character, this.#currentPatterns());
      if (candidates.length === 0 || token.isCancellationRequested) return undefined;
      const links = await this.#resolve(candidates, token);
      for (const candidate of candidates) {
        const link = links.get(candidate.text);
        if (link?.status === 'found') return this.#show(link, candidate, position.line);
      }
    } catch (error) {
      if (!isCancelled(error)) this.#log.debug(`hover: ${describeError(error)}`);
    }
    return undefined;
  }

  #currentPatterns(): readonly RegExp[] {
    const patterns = this.#server.status?.linkPatterns ?? [];
    if (patterns !== this.#compiledFrom) {
      this.#compiledFrom = patterns;
      this.#patterns = compilePatterns(patterns, (pattern, error) => {
        this.#log.warn(`hover: pattern for ${pattern.kind}: ${describeError(error)}`);
      });
    }
    return this.#patterns;
  }

  async #resolve(
    tokens: readonly Token[],
    cancel: vscode.CancellationToken,
  ): Promise<ReadonlyMap<string, ResolvedLink>> {
    const unknown = tokens.map((token) => token.text).filter((text) => !this.#cache.has(text));
    if (unknown.length > 0) {
      const links = await this.#server.request(
        'signalbox/link/resolve',
        { refs: unknown.slice(0, 50) },
        cancel,
      );
      for (const link of links) this.#remember(link);
    }
    return this.#cache;
  }

  #remember(link: ResolvedLink): void {
    this.#cache.set(link.token, link);
    for (const oldest of this.#cache.keys()) {
      if (this.#cache.size <= cacheSize) break;
      this.#cache.delete(oldest);
    }
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
