// The views of tasks and escalations that are open: one per escalation or
// task, and one that is used again while nothing is typed in it.

import * as vscode from 'vscode';
import { refKey, type Ref } from './protocol';
import { readRef } from './refs';
import { TaskView, type ShowTask, type TaskHost } from './taskView';

/** The webview's type, also named in package.json's when clauses. */
export const taskViewType = 'signalbox.task';

export class TaskViews implements vscode.WebviewPanelSerializer, vscode.Disposable {
  readonly #host: TaskHost;
  readonly #views = new Set<TaskView>();
  readonly #registration: vscode.Disposable;

  constructor(host: Omit<TaskHost, 'open'>) {
    this.#host = {
      ...host,
      open: (ref) => {
        this.open(ref);
      },
    };
    this.#registration = vscode.window.registerWebviewPanelSerializer(taskViewType, this);
  }

  dispose(): void {
    this.#registration.dispose();
    for (const view of this.#views) view.dispose();
  }

  /** The task in the tab that has the focus. */
  get active(): TaskView | undefined {
    return [...this.#views].find((view) => view.active);
  }

  /** Opens an escalation, a task, or the task of a message at that message. */
  open(ref: Ref, options: ShowTask = {}): void {
    const views = [...this.#views];
    const reused =
      views.find((view) => refKey(view.ref) === refKey(ref)) ?? views.find((view) => view.replaceable);
    if (reused !== undefined) {
      reused.show(ref, options);
      return;
    }
    const panel = vscode.window.createWebviewPanel(taskViewType, 'Signalbox', vscode.ViewColumn.Active, {
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

  #add(panel: vscode.WebviewPanel, ref: Ref): TaskView {
    const icon = (shade: string): vscode.Uri =>
      vscode.Uri.joinPath(this.#host.resources, 'resources', `task-${shade}.svg`);
    panel.iconPath = { light: icon('light'), dark: icon('dark') };
    const view = new TaskView(this.#host, panel, ref, () => this.#views.delete(view));
    this.#views.add(view);
    return view;
  }
}
