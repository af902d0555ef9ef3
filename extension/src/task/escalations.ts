// The tree of escalations: open, overdue, rejected and answered ones, and all
// tasks. It asks the server only while it is visible. The numbers for its badge
// come with every change.

import { describeError } from '../server/failures';
import * as vscode from 'vscode';
import { setContext } from '../views/notify';
import type { Server } from '../server/client';
import { readConfig } from '../setup/config';
import { escalationRow } from './escalationRows';
import {
  alarmCount,
  EscalationsModel,
  taskCount,
  tasksWelcome,
  type Alarms,
  type EscalationNode,
  type PagedList,
} from './escalationsModel';
import type { EscalationItem } from '../protocol';
import { showProgressWhenSlow } from '../progress';
import { staleWords } from '../stale';
import { ServerPart } from '../registrations';

const viewId = 'signalbox.escalationsView';

export class Escalations extends ServerPart implements vscode.TreeDataProvider<EscalationNode> {
  readonly #model: EscalationsModel;
  readonly #view: vscode.TreeView<EscalationNode>;
  readonly #treeEmitter = new vscode.EventEmitter<undefined>();
  readonly #alarmsEmitter = new vscode.EventEmitter<Alarms>();
  readonly #clock: NodeJS.Timeout;
  #alarms: Alarms = { critical: 0, overdue: 0 };
  /** Whether the tree is older than the last change. */
  #stale = true;
  #shown = '';
  #lastSelected: EscalationNode | undefined;

  readonly onDidChangeTreeData = this.#treeEmitter.event;
  /** Fires when the alarms may have changed. */
  readonly onDidChangeAlarms = this.#alarmsEmitter.event;

  constructor(server: Server) {
    super(server);
    this.#model = new EscalationsModel({
      escalations: (params) => server.request('signalbox/escalation/list', params),
      tasks: (params) => server.request('signalbox/task/list', params),
      taskCount: async () => taskCount(await server.request('signalbox/status', {})),
    });
    this.#view = vscode.window.createTreeView(viewId, { treeDataProvider: this, showCollapseAll: false });
    this.register(
      this.#view,
      this.#treeEmitter,
      this.#alarmsEmitter,
      this.#view.onDidChangeSelection((event) => {
        this.#lastSelected = event.selection[0] ?? this.#lastSelected;
      }),
      this.#view.onDidCollapseElement(({ element }) => {
        if (element.kind === 'folder') this.#model.close(element.folder);
      }),
      this.#view.onDidChangeVisibility(() => void this.#refreshIfSeen()),
      server.onDidChangeState(() => this.#stateChanged()),
      server.onDidChangeStatus((status) => {
        this.#take(status);
        this.#changed();
      }),
      server.onDidChange((change) => {
        this.#take(change);
        if (change.kinds.includes('tasks')) this.#changed();
      }),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('signalbox.badge')) this.#showBadge();
      }),
    );
    // "5 min. ago" has to be updated now and then.
    this.#clock = setInterval(() => {
      if (this.#view.visible && this.#model.open.length > 0) this.#treeEmitter.fire(undefined);
    }, 60_000);
  }

  override dispose(): void {
    clearInterval(this.#clock);
    super.dispose();
  }

  get alarms(): Alarms {
    return this.#alarms;
  }

  get open(): readonly EscalationItem[] {
    return this.#model.open;
  }

  /** The selected row, for commands run from the keyboard. */
  get selected(): EscalationNode | undefined {
    return this.#view.selection[0] ?? this.#lastSelected;
  }

  /** Fetches the lists again. Failures go to the log. */
  async refresh(): Promise<void> {
    await this.#load(() => this.#model.reload());
  }

  /** Fetches the next page of a list. */
  async more(list: PagedList): Promise<void> {
    await this.#load(() => this.#model.more(list).then(() => true));
  }

  async getChildren(node?: EscalationNode): Promise<EscalationNode[]> {
    if (node === undefined) return [...this.#model.roots];
    if (node.kind !== 'folder') return [];
    try {
      return [...(await this.#model.rowsOf(node.folder))];
    } catch (error) {
      this.log.error(`escalations: ${node.folder}: ${describeError(error)}`);
      return [];
    }
  }

  getTreeItem(node: EscalationNode): vscode.TreeItem {
    return escalationRow(node, Date.now());
  }

  #changed(): void {
    this.#stale = true;
    void this.#refreshIfSeen();
  }

  async #refreshIfSeen(): Promise<void> {
    if (this.#view.visible && this.#stale) await this.refresh();
  }

  async #load(fetch: () => Promise<boolean>): Promise<void> {
    this.#stale = false;
    const loading = fetch();
    showProgressWhenSlow(viewId, loading);
    try {
      if (!(await loading)) return;
      this.#describe();
      this.#renew();
    } catch (error) {
      this.#stale = true;
      this.log.error(`escalations: ${describeError(error)}`);
    }
  }

  /** Redraws the tree if it changed. A needless redraw would close hovers and lose clicks. */
  #renew(): void {
    const shown = JSON.stringify(this.#model.content);
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#treeEmitter.fire(undefined);
  }

  #stateChanged(): void {
    const { state } = this.server;
    if (state === 'running') return;
    this.#stale = true;
    if (!this.server.broken) return;
    void setContext('signalbox.tasksWelcome', 'server');
    // The last rows stay, with a message that they are out of date.
    const empty = this.#model.roots.length === 0;
    this.#view.message = empty ? '' : staleWords(this.server.problem);
    if (empty) this.#take({ critical: 0, overdue: 0 });
    this.#renew();
  }

  #take({ critical, overdue }: Alarms): void {
    this.#alarms = { critical, overdue };
    this.#showBadge();
    this.#alarmsEmitter.fire(this.#alarms);
  }

  #showBadge(): void {
    const value = alarmCount(this.#alarms, readConfig().badge);
    const { critical, overdue } = this.#alarms;
    const tooltip = vscode.l10n.t('critical escalations: {0}, overdue: {1}', critical, overdue);
    this.#view.badge = value === undefined ? undefined : { value, tooltip };
  }

  /** Sets the notes above the tree and the welcome text of an empty one. */
  #describe(): void {
    const { status } = this.server;
    if (status === undefined) return;
    void setContext('signalbox.tasksWelcome', tasksWelcome(status));
    void setContext('signalbox.canAnswer', !status.readOnly);
    // In an empty tree a message would hide the welcome text.
    this.#view.message = this.#model.roots.length === 0 ? '' : this.#notes(status.readOnly).join('\n');
  }

  #notes(readOnly: boolean): string[] {
    const notes: string[] = [];
    if (readOnly) notes.push(vscode.l10n.t('Read-only: this workspace is not trusted.'));
    const [warning] = this.#model.warnings;
    if (warning !== undefined) notes.push(warning.message);
    if (this.#model.open.length === 0) notes.push(vscode.l10n.t('No escalation waits for you.'));
    return notes;
  }
}
