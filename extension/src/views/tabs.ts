// The open tabs of one kind of view. A tab is reused for the next thread or task unless
// something is typed in it, so reading down a list leaves one tab.

import * as vscode from 'vscode';
import { type Ref } from '../protocol';
import { readRef, refKey } from '../refs';
import type { TypedAhead } from './typedAhead';

/** How a tab is opened. */
export interface Opening {
  /** Whether it opens in a new tab beside the active editor. */
  readonly beside?: boolean | undefined;
  readonly preserveFocus?: boolean | undefined;
  /** Whether the text field is to get the focus. */
  readonly wantsText?: boolean | undefined;
}

export interface Tab<Options> {
  readonly ref: Ref;
  readonly active: boolean;
  /** Whether something else may be shown in this tab. */
  readonly replaceable: boolean;
  show(ref: Ref, options: Options): void;
  dispose(): void;
}

/** The properties that all tabs of a kind share. */
export interface TabKind<T> {
  /** The webview's type, also named in package.json's when clauses. */
  readonly type: string;
  /** The icon's file name without shade and extension. */
  readonly icon: string;
  /** The extension's own folder. */
  readonly resources: vscode.Uri;
  readonly ahead: TypedAhead;
  make(panel: vscode.WebviewPanel, ref: Ref, onDispose: () => void): T;
}

export class ViewTabs<Options, T extends Tab<Options>>
  implements vscode.WebviewPanelSerializer, vscode.Disposable
{
  readonly #kind: TabKind<T>;
  readonly #tabs = new Set<T>();
  readonly #registration: vscode.Disposable;

  constructor(kind: TabKind<T>) {
    this.#kind = kind;
    this.#registration = vscode.window.registerWebviewPanelSerializer(kind.type, this);
  }

  dispose(): void {
    this.#registration.dispose();
    for (const tab of this.#tabs) tab.dispose();
  }

  /** Closes the tabs in which nothing is typed. */
  closeIdle(): void {
    for (const tab of [...this.#tabs]) if (tab.replaceable) tab.dispose();
  }

  /** The tab that has the focus. */
  get active(): T | undefined {
    return [...this.#tabs].find((tab) => tab.active);
  }

  /** Returns the tabs that show this thread or task. */
  showing(ref: Ref): readonly T[] {
    return [...this.#tabs].filter((tab) => refKey(tab.ref) === refKey(ref));
  }

  /** Shows a thread or task. */
  protected openTab(
    ref: Ref,
    options: Options,
    { beside = false, preserveFocus = false, wantsText }: Opening,
  ): void {
    const tabs = [...this.#tabs];
    const same = tabs.find((tab) => refKey(tab.ref) === refKey(ref));
    const reused = same ?? (beside ? undefined : tabs.find((tab) => tab.replaceable));
    if (reused !== undefined) {
      reused.show(ref, options);
      return;
    }
    const { ahead } = this.#kind;
    if (wantsText === true) ahead.begin();
    const column = beside ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active;
    const panel = vscode.window.createWebviewPanel(
      this.#kind.type,
      'Signalbox',
      { viewColumn: column, preserveFocus: preserveFocus || ahead.active },
      { enableFindWidget: true },
    );
    this.#add(panel, ref).show(ref, options);
  }

  /** Restores a tab after the window was reloaded. */
  deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Thenable<void> {
    const ref =
      typeof state === 'object' && state !== null && 'ref' in state ? readRef(state.ref) : undefined;
    if (ref === undefined) panel.dispose();
    else this.#add(panel, ref);
    return Promise.resolve();
  }

  #add(panel: vscode.WebviewPanel, ref: Ref): T {
    const { icon, resources } = this.#kind;
    const file = (shade: string): vscode.Uri =>
      vscode.Uri.joinPath(resources, 'resources', `${icon}-${shade}.svg`);
    panel.iconPath = { light: file('light'), dark: file('dark') };
    const tab = this.#kind.make(panel, ref, () => this.#tabs.delete(tab));
    this.#tabs.add(tab);
    return tab;
  }
}
