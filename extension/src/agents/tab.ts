// The page of "Agents" as an editor tab.

import * as vscode from 'vscode';
import { Registrations } from '../registrations';
import { View, type ViewKind } from '../views/view';
import { AgentsHost, type AgentsHostParts, type Own } from './host';
import type { ToAgents } from './messages';
import type { AgentsWords } from './words';

/** The webview's type, also named in package.json. */
const type = 'signalbox.agents';

class AgentsTab extends View<AgentsWords, Own, ToAgents> {
  readonly #host: AgentsHost;

  constructor(
    kind: ViewKind<AgentsWords>,
    parts: AgentsHostParts,
    panel: vscode.WebviewPanel,
    onDispose: () => void,
  ) {
    super(kind, panel, onDispose);
    const host = new AgentsHost(parts, {
      place: 'tab',
      ready: () => this.ready,
      send: (message) => this.post(message),
      try: (run) => this.tell('other', run),
    });
    this.#host = host;
    const follow = (): void => host.seen(panel.visible);
    this.register(
      parts.list.onDidChange(() => host.show()),
      panel.onDidChangeViewState(follow),
      panel.onDidDispose(() => host.seen(false)),
    );
    follow();
    void kind.server.ensure().catch(() => undefined);
  }

  front(): void {
    this.reveal(false, false);
  }

  protected override begin(): Promise<void> {
    return this.#host.begin();
  }

  protected override load(): Promise<void> {
    return this.#host.load();
  }

  protected override receive(message: Own): Promise<void> {
    return this.#host.receive(message);
  }
}

/** Opens the tab, and restores it after the window was reloaded. There is at most one. */
export class AgentsTabs extends Registrations implements vscode.WebviewPanelSerializer {
  readonly #kind: ViewKind<AgentsWords>;
  readonly #parts: AgentsHostParts;
  #tab: AgentsTab | undefined;

  constructor(kind: ViewKind<AgentsWords>, parts: AgentsHostParts) {
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
