// The tree "Tasks": folders of rejected messages, answered escalations and tasks. They are
// fetched while the tree is visible.

import * as vscode from 'vscode';
import { showProgressWhenSlow } from '../views/progress';
import { ServerPart } from '../server/serverPart';
import type { Server } from '../server/client';
import { describeError } from '../server/failures';
import { setContext } from '../views/notify';
import { moreItem } from '../views/rowItem';
import { selectedRow } from '../views/selected';
import { escalationItem, rejectedItem, taskItem } from './escalationRows';
import { taskCount, TasksModel, type Folder, type PagedFolder, type TaskNode } from './treeModel';

const viewId = 'signalbox.tasksView';
const openCommand = 'signalbox.openSelectedTask';

export class Tasks extends ServerPart implements vscode.TreeDataProvider<TaskNode> {
  readonly #model: TasksModel;
  readonly #view: vscode.TreeView<TaskNode>;
  readonly #emitter = new vscode.EventEmitter<undefined>();
  /** Whether the folders are older than the last change of tasks. */
  #stale = true;
  #shown = '';

  readonly onDidChangeTreeData = this.#emitter.event;

  constructor(server: Server) {
    super(server);
    const model = new TasksModel({
      escalations: (params) => server.request('signalbox/escalation/list', params),
      tasks: (params) => server.request('signalbox/task/list', params),
      taskCount: async () => taskCount(await server.request('signalbox/status', {})),
    });
    this.#model = model;
    this.#view = vscode.window.createTreeView(viewId, { treeDataProvider: this, showCollapseAll: false });
    this.register(
      this.#view,
      this.#emitter,
      this.#view.onDidCollapseElement(({ element }) => {
        if (element.kind === 'folder') model.close(element.folder);
      }),
      this.#view.onDidChangeVisibility(() => void this.#show()),
      server.onDidChangeState(() => {
        if (server.state !== 'running') this.#stale = true;
      }),
      server.onDidChangeStatus(({ ssots }) => {
        void setContext(
          'signalbox.hasTasks',
          ssots.some(({ tasks, rejected }) => tasks + rejected > 0),
        );
        void this.refresh();
      }),
      server.onDidChange(({ kinds }) => {
        if (kinds.includes('tasks')) this.#stale = true;
        void this.#show();
      }),
    );
  }

  /** The selected row, for commands run from the keyboard. */
  get selected(): TaskNode | undefined {
    return this.#view.selection[0];
  }

  /** The row that was just clicked. */
  clicked(): Promise<TaskNode | undefined> {
    return selectedRow(this.#view);
  }

  /** Fetches everything that is shown again. Failures go to the log. */
  async refresh(): Promise<void> {
    this.#stale = true;
    await this.#show();
  }

  /** Fetches more of a folder. */
  async more(list: PagedFolder): Promise<void> {
    await this.#load(() => this.#model.more(list));
  }

  async getChildren(node?: TaskNode): Promise<TaskNode[]> {
    if (node === undefined) return [...this.#model.folders];
    if (node.kind !== 'folder') return [];
    try {
      return [...(await this.#model.rowsOf(node.folder))];
    } catch (error) {
      this.log.error(`tasks: ${node.folder}: ${describeError(error)}`);
      return [];
    }
  }

  getTreeItem(node: TaskNode): vscode.TreeItem {
    return taskRow(node, Date.now());
  }

  async #show(): Promise<void> {
    if (!this.#view.visible || !this.#stale || this.server.state !== 'running') return;
    this.#stale = false;
    await this.#load(async () => {
      try {
        await this.#model.reload();
      } catch (error) {
        this.#stale = true;
        throw error;
      }
    });
  }

  async #load(fetch: () => Promise<void>): Promise<void> {
    const loading = fetch();
    showProgressWhenSlow(viewId, loading);
    try {
      await loading;
      this.#redraw();
    } catch (error) {
      this.log.error(`tasks: ${describeError(error)}`);
    }
  }

  /** Redraws the tree if it changed. A needless redraw would close hovers and lose clicks. */
  #redraw(): void {
    const shown = JSON.stringify(this.#model.content);
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#emitter.fire(undefined);
  }
}

/** Returns the row of an entry of the tree. */
export function taskRow(node: TaskNode, now: number): vscode.TreeItem {
  switch (node.kind) {
    case 'escalation':
      return opening(escalationItem(node.escalation, now));
    case 'rejected':
      return opening(rejectedItem(node.rejected, now));
    case 'task':
      return opening(taskItem(node.task, now));
    case 'folder':
      return folderItem(node.folder, node.count);
    case 'more':
      return moreItem(`more ${node.list}`, openCommand);
  }
}

function opening(item: vscode.TreeItem): vscode.TreeItem {
  // Without arguments: VS Code forgets the arguments of a row when the list is
  // redrawn, and a click at that moment would do nothing.
  item.command = { command: openCommand, title: vscode.l10n.t('Open') };
  return item;
}

function folderItem(folder: Folder, count: number): vscode.TreeItem {
  const titles = {
    rejected: vscode.l10n.t('Rejected ({0})', count),
    answered: vscode.l10n.t('Answered ({0})', count),
    tasks: vscode.l10n.t('Tasks ({0})', count),
  };
  const item = new vscode.TreeItem(titles[folder], vscode.TreeItemCollapsibleState.Collapsed);
  item.id = `folder ${folder}`;
  item.contextValue = 'folder';
  return item;
}
