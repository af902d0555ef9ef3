// "Agents" in the side bar: one row for each agent and work tree.

import * as vscode from 'vscode';
import type { Terminals } from '../needs/terminals';
import { SideView, type SideKind } from '../views/sideView';
import type { AgentsHost, AgentsPageHost, Own } from './host';
import type { AgentList } from './list';
import type { ToAgents } from './messages';
import { countWords, type AgentsWords } from './words';

export const agentsViewId = 'signalbox.agentsView';

export class AgentsView extends SideView<AgentsWords, Own, ToAgents> {
  readonly #host: AgentsHost;
  readonly #list: AgentList;
  readonly #page: AgentsPageHost = {
    place: 'side',
    send: (message) => this.post(message),
    try: (run) => this.tell('other', run),
  };

  constructor(kind: SideKind<AgentsWords>, host: AgentsHost, list: AgentList, terminals: Terminals) {
    super(kind);
    this.#host = host;
    this.#list = list;
    this.register(
      list.onDidChange(() => this.#show()),
      terminals.onDidChange(() => this.#show()),
    );
  }

  override resolveWebviewView(view: vscode.WebviewView): void {
    super.resolveWebviewView(view);
    const follow = (): void => this.#list.shown(this, view.visible);
    view.onDidChangeVisibility(follow);
    view.onDidDispose(() => this.#list.shown(this, false));
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
    return this.load();
  }

  protected override load(): Promise<void> {
    return this.#list.refresh();
  }

  protected override receive(message: Own): Promise<void> {
    return this.#host.receive(message, this.#page);
  }

  #show(): void {
    if (this.view !== undefined) {
      const shown = this.#host.shown();
      this.view.description = shown === undefined ? '' : countWords(vscode.l10n.t, { ...shown, done: 0 });
    }
    if (this.ready) this.#host.show(this.#page);
  }
}
