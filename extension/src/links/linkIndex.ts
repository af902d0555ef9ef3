// Looks up the messages and threads that tokens name. The server's answers are cached until something
// changes. Only tokens are sent to the server, never a document.

import { describeError } from '../server/failures';
import type * as vscode from 'vscode';
import type { Server } from '../server/client';
import { Limit, type LinkPattern, type Ref, type ResolvedLink } from '../protocol';
import { compilePatterns } from './tokens';
import { ServerPart } from '../server/serverPart';

/** How many answers are cached. */
const cacheSize = 2_000;

/** Opens a thread, at a message if one is given. */
export type OpenMention = (thread: Ref, message: Ref | undefined) => void;

export class LinkIndex extends ServerPart {
  readonly #cache = new Map<string, ResolvedLink>();
  #patterns: readonly RegExp[] = [];
  #compiledFrom: readonly LinkPattern[] | undefined;

  constructor(server: Server) {
    super(server);
    const forget = (): void => this.#cache.clear();
    this.register(server.onDidChange(forget), server.onDidChangeStatus(forget));
  }

  /** Whether anything may be written in this workspace. */
  get writable(): boolean {
    return this.server.status?.readOnly === false;
  }

  /** Returns the patterns of tokens, starting the server if needed. */
  async patterns(): Promise<readonly RegExp[]> {
    await this.server.ensure();
    const patterns = this.server.status?.linkPatterns ?? [];
    if (patterns !== this.#compiledFrom) {
      this.#compiledFrom = patterns;
      this.#patterns = compilePatterns(patterns, (pattern, error) =>
        this.log.warn(`links: pattern for ${pattern.kind}: ${describeError(error)}`),
      );
    }
    return this.#patterns;
  }

  /** Looks up tokens. After a cancellation, some are missing from the result. */
  async resolve(
    tokens: readonly string[],
    cancel: vscode.CancellationToken,
  ): Promise<ReadonlyMap<string, ResolvedLink>> {
    const answers = new Map<string, ResolvedLink>();
    const unknown: string[] = [];
    for (const token of new Set(tokens)) {
      const known = this.#cache.get(token);
      if (known === undefined) unknown.push(token);
      else answers.set(token, known);
    }
    for (let at = 0; at < unknown.length && !cancel.isCancellationRequested; at += Limit.refs) {
      const refs = unknown.slice(at, at + Limit.refs);
      for (const link of await this.server.request('signalbox/link/resolve', { refs }, cancel)) {
        answers.set(link.token, link);
        this.#remember(link);
      }
    }
    return answers;
  }

  #remember(link: ResolvedLink): void {
    this.#cache.set(link.token, link);
    for (const oldest of this.#cache.keys()) {
      if (this.#cache.size <= cacheSize) break;
      this.#cache.delete(oldest);
    }
  }
}
