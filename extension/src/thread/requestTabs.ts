// Tabs that show one request, for an agent without a thread here: it works in another
// repository, or its program's sessions are not read.

import * as vscode from 'vscode';
import { fullName, nameOf } from '../agent/agentWords';
import type { CardAct } from '../request/request';
import type { AgentItem, AgentRequest } from '../protocol';
import type { Server } from '../server/client';
import { isError } from '../server/failures';
import type { CommonMessage } from '../views/messages';
import { View } from '../views/view';
import { Asking, askingHost } from './asking';
import type { FromView, ToView } from './messages';
import { threadWords, type ThreadWords } from './words';

type Own = Exclude<FromView, CommonMessage>;

export class RequestTabs implements vscode.Disposable {
  readonly #server: Server;
  readonly #resources: vscode.Uri;
  /** The tabs by the ids of their requests. */
  readonly #tabs = new Map<string, RequestTab>();

  /** `resources` is the extension's own folder. */
  constructor(server: Server, resources: vscode.Uri) {
    this.#server = server;
    this.#resources = resources;
  }

  dispose(): void {
    for (const tab of this.#tabs.values()) tab.dispose();
  }

  /** The tab in front. */
  get active(): RequestTab | undefined {
    return [...this.#tabs.values()].find((tab) => tab.active);
  }

  open(agent: AgentItem, { id }: AgentRequest): void {
    const tab = this.#tabs.get(id);
    if (tab !== undefined) {
      tab.show();
      return;
    }
    const panel = vscode.window.createWebviewPanel(
      'signalbox.request',
      fullName(agent),
      vscode.ViewColumn.Active,
      // Keeps the text that is typed for a request. The page is small.
      { retainContextWhenHidden: true },
    );
    const made = new RequestTab(this.#server, this.#resources, panel, agent, id, () => this.#tabs.delete(id));
    this.#tabs.set(id, made);
  }
}

class RequestTab extends View<ThreadWords, Own, ToView> {
  readonly #server: Server;
  readonly #agent: AgentItem;
  readonly #id: string;
  readonly #asking: Asking;

  constructor(
    server: Server,
    resources: vscode.Uri,
    panel: vscode.WebviewPanel,
    agent: AgentItem,
    id: string,
    onDispose: () => void,
  ) {
    super({ server, resources, page: 'thread', words: threadWords }, panel, onDispose);
    this.#server = server;
    this.#agent = agent;
    this.#id = id;
    const file = (shade: string): vscode.Uri =>
      vscode.Uri.joinPath(resources, 'resources', `task-${shade}.svg`);
    panel.iconPath = { light: file('light'), dark: file('dark') };
    this.#asking = new Asking(
      askingHost(server, (asked) => this.post({ ...asked, name: nameOf(agent) })),
      vscode.l10n.t,
    );
    this.register(
      server.onDidChange(({ kinds }) => {
        if (this.ready && kinds.includes('agents')) void this.load();
      }),
    );
  }

  show(): void {
    this.panel.reveal();
  }

  /** Runs an action of the More Actions menu in the page. */
  card(act: CardAct): void {
    this.post({ type: 'card', act });
  }

  protected override async begin(): Promise<void> {
    this.post({ type: 'named', title: fullName(this.#agent), facts: this.#agent.folder });
    this.#asking.resend();
    await this.load();
  }

  protected override async load(): Promise<void> {
    try {
      await this.#asking.update([await this.#server.request('signalbox/needs/request', { id: this.#id })]);
    } catch (error) {
      if (isError(error, 'NotFound')) this.#asking.gone(error);
      else this.post({ type: 'failed', failure: this.logged('open', error), title: undefined });
    }
  }

  protected override async receive(message: Own): Promise<void> {
    if (message.type !== 'decide') return;
    try {
      await this.#asking.decide(message.answer);
    } catch (error) {
      this.post({ type: 'decideFailed', failure: this.logged('answer', error) });
    }
  }
}
