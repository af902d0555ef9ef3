// The thread views that are open: one per thread, and one that is used again
// while nothing is typed in it, so that reading along the inbox leaves one tab.

import * as vscode from 'vscode';
import { refKey, type Ref } from './protocol';
import { readRef } from './refs';
import { ThreadView, type ThreadHost } from './thread';

/** The webview's type, also named in package.json's when clauses. */
export const threadViewType = 'signalbox.thread';

export interface OpenOptions {
  /** Beside the active editor, in a tab of its own. */
  readonly beside?: boolean;
  readonly focusReply?: boolean;
  /** Shows this message of the thread and marks it for a moment. */
  readonly message?: Ref;
}

export class Threads implements vscode.WebviewPanelSerializer, vscode.Disposable {
  readonly #host: ThreadHost;
  readonly #views = new Set<ThreadView>();
  readonly #registration: vscode.Disposable;

  constructor(host: ThreadHost) {
    this.#host = host;
    this.#registration = vscode.window.registerWebviewPanelSerializer(threadViewType, this);
  }

  dispose(): void {
    this.#registration.dispose();
    for (const view of this.#views) view.dispose();
  }

  /** The thread in the tab that has the focus. */
  get active(): ThreadView | undefined {
    return [...this.#views].find((view) => view.active);
  }

  open(ref: Ref, options: OpenOptions = {}): void {
    const column = options.beside === true ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active;
    const same = [...this.#views].find((view) => refKey(view.ref) === refKey(ref));
    const reused =
      options.beside === true ? same : (same ?? [...this.#views].find((view) => view.replaceable));
    if (reused !== undefined) {
      reused.show(ref, options);
      return;
    }
    const panel = vscode.window.createWebviewPanel(threadViewType, 'Signalbox', column, {
      enableFindWidget: true,
    });
    this.#add(panel, ref).show(ref, options);
  }

  /** Brings back a view after a reload of the window. */
  deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Thenable<void> {
    const ref =
      typeof state === 'object' && state !== null && 'ref' in state ? readRef(state.ref) : undefined;
    if (ref === undefined) panel.dispose();
    else this.#add(panel, ref);
    return Promise.resolve();
  }

  #add(panel: vscode.WebviewPanel, ref: Ref): ThreadView {
    const icon = (shade: string): vscode.Uri =>
      vscode.Uri.joinPath(this.#host.resources, 'resources', `draft-${shade}.svg`);
    panel.iconPath = { light: icon('light'), dark: icon('dark') };
    const view = new ThreadView(this.#host, panel, ref, () => this.#views.delete(view));
    this.#views.add(view);
    return view;
  }
}
