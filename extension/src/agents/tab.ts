// The same page as an editor tab.

import * as vscode from 'vscode';
import { Registrations } from '../registrations';
import { View, type ViewKind } from '../views/view';
import type { AgentsHost, AgentsPageHost, Own } from './host';
import type { AgentList } from './list';
import type { ToAgents } from './messages';
import type { AgentsWords } from './words';

/** The webview's type, also named in package.json. */
const type = 'signalbox.agents';

class AgentsTab extends View<AgentsWords, Own, ToAgents> {
  readonly #host: AgentsHost;
  readonly #list: AgentList;
  readonly #page: AgentsPageHost = {
    place: 'tab',
    send: (message) => this.post(message),
    try: (run) => this.tell('other', run),
  };

  constructor(
    kind: ViewKind<AgentsWords>,
    { host, list }: TabParts,
    panel: vscode.WebviewPanel,
    onDispose: () => void,
  ) {
    super(kind, panel, onDispose);
    this.#host = host;
    this.#list = list;
    const follow = (): void => list.shown(this, panel.visible);
    this.register(
      list.onDidChange(() => this.#show()),
      panel.onDidChangeViewState(follow),
      panel.onDidDispose(() => list.shown(this, false)),
    );
    follow();
    void kind.server.ensure().catch(() => undefined);
  }

  front(): void {
    this.reveal(false, false);
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
    if (this.ready) this.#host.show(this.#page);
  }
}

interface TabParts {
  readonly host: AgentsHost;
  readonly list: AgentList;
}

/** Opens the tab, and restores it after the window was reloaded. There is one. */
export class AgentsTabs extends Registrations implements vscode.WebviewPanelSerializer {
  readonly #kind: ViewKind<AgentsWords>;
  readonly #parts: TabParts;
  #tab: AgentsTab | undefined;

  constructor(kind: ViewKind<AgentsWords>, parts: TabParts) {
    super();
    this.#kind = kind;
    this.#parts = parts;
    this.register(vscode.window.registerWebviewPanelSerializer(type, this));
  }

  override dispose(): void {
    this.#tab?.dispose();
    super.dispose();
  }

  open(): void {
    if (this.#tab !== undefined) {
      this.#tab.front();
      return;
    }
    this.#add(vscode.window.createWebviewPanel(type, vscode.l10n.t('Agents'), vscode.ViewColumn.Active));
  }

  deserializeWebviewPanel(panel: vscode.WebviewPanel): Thenable<void> {
    if (this.#tab === undefined) this.#add(panel);
    else panel.dispose();
    return Promise.resolve();
  }

  #add(panel: vscode.WebviewPanel): void {
    const file = (shade: string): vscode.Uri =>
      vscode.Uri.joinPath(this.#kind.resources, 'resources', `agents-${shade}.svg`);
    panel.iconPath = { light: file('light'), dark: file('dark') };
    this.#tab = new AgentsTab(this.#kind, this.#parts, panel, () => {
      this.#tab = undefined;
    });
  }
}
