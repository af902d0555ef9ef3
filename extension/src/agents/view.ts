// "Agents" in the side bar: one row for each agent and worktree.

import * as vscode from 'vscode';
import { SideView, type SideKind } from '../views/sideView';
import { AgentsHost, type AgentsHostParts, type Own } from './host';
import type { ToAgents } from './messages';
import { countWords, type AgentsWords } from './words';

export const agentsViewId = 'signalbox.agentsView';

export class AgentsView extends SideView<AgentsWords, Own, ToAgents> {
  readonly #host: AgentsHost;

  constructor(kind: SideKind<AgentsWords>, parts: AgentsHostParts) {
    super(kind);
    this.#host = new AgentsHost(parts, {
      place: 'side',
      ready: () => this.ready,
      send: (message) => this.post(message),
      try: (run) => this.tell('other', run),
    });
    this.register(
      parts.list.onDidChange(() => this.#show()),
      parts.terminals.onDidChange(() => this.#show()),
    );
  }

  override resolveWebviewView(view: vscode.WebviewView): void {
    super.resolveWebviewView(view);
    const follow = (): void => this.#host.seen(view.visible);
    view.onDidChangeVisibility(follow);
    view.onDidDispose(() => this.#host.seen(false));
    follow();
    void this.kind.server.ensure().catch(() => undefined);
  }

  /** Shows the view with the box of a row open. */
  async write(key: string): Promise<void> {
    await this.focus();
    this.post({ type: 'write', key });
  }

  protected override begin(): Promise<void> {
    this.#show();
    return this.#host.load();
  }

  protected override load(): Promise<void> {
    return this.#host.load();
  }

  protected override receive(message: Own): Promise<void> {
    return this.#host.receive(message);
  }

  #show(): void {
    if (this.view !== undefined) {
      const shown = this.#host.shown();
      this.view.description = shown === undefined ? '' : countWords(vscode.l10n.t, { ...shown, done: 0 });
    }
    this.#host.show();
  }
}
