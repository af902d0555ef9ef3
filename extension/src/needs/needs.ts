// The trees "Needs You": questions, mail that needs a reply, agents that wait, escalations
// and what is overdue; and "Tasks": the folders of tasks. What needs the user is fetched
// with every change, for the status bar and the notifications too; the folders only while
// they are visible.

import { failureOf } from '../server/failureWords';
import { describeError, NotRunning } from '../server/failures';
import * as vscode from 'vscode';
import { setContext } from '../views/notify';
import type { Server } from '../server/client';
import { readConfig } from '../setup/config';
import { UpTo } from '../inbox/upTo';
import { keyOf, NeedsModel, needsBadge, nodesOf, taskCount, type NeedNode, type PagedList } from './model';
import { needRow } from './rows';
import { Away } from './away';
import type { Terminals } from './terminals';
import type { Unfinished } from '../thread/unfinished';
import type { NeedItem } from '../protocol';
import { showProgressWhenSlow } from '../progress';
import { selectedRow } from '../views/selected';
import { ServerPart } from '../registrations';

const viewId = 'signalbox.needsView';
const tasksId = 'signalbox.tasksView';

/** The list is looked at so often for a change that was made. */
const looksMax = 3;

export class Needs extends ServerPart implements vscode.TreeDataProvider<NeedNode> {
  readonly #model: NeedsModel;
  readonly #view: vscode.TreeView<NeedNode>;
  readonly #tasks: vscode.TreeView<NeedNode>;
  readonly #terminals: Terminals;
  readonly #unfinished: Unfinished;
  readonly #treeEmitter = new vscode.EventEmitter<undefined>();
  readonly #rowsEmitter = new vscode.EventEmitter<undefined>();
  readonly #looks: UpTo;
  readonly #clock: NodeJS.Timeout;
  #total = 0;
  /** Whether the folders are older than the last change of tasks. */
  #foldersStale = true;
  #shown = '';
  readonly #away: Away;
  #lastSelected: NeedNode | undefined;

  readonly onDidChangeTreeData = this.#treeEmitter.event;
  /** Fires when the number, or what needs the user, may have changed. */
  readonly onDidChangeRows = this.#rowsEmitter.event;

  /** Whether a key selects a row only to do something else with it: selecting by a key opens. */
  held = false;

  constructor(server: Server, terminals: Terminals, unfinished: Unfinished) {
    super(server);
    this.#terminals = terminals;
    this.#unfinished = unfinished;
    const model = new NeedsModel({
      needs: (params) => server.request('signalbox/needs/list', params),
      escalations: (params) => server.request('signalbox/escalation/list', params),
      tasks: (params) => server.request('signalbox/task/list', params),
      taskCount: async () => taskCount(await server.request('signalbox/status', {})),
    });
    this.#model = model;
    this.#away = new Away(vscode.l10n.t, {
      agents: () => server.request('signalbox/agents/list', { all: true }),
      needs: async () => {
        await this.refresh();
        return model.items;
      },
      groups: async () => (await server.request('signalbox/inbox/list', { limit: 1 })).groups,
    });
    this.#looks = new UpTo({
      get revision() {
        return model.revision;
      },
      reload: () =>
        this.#load(async () => {
          const page = await model.reload();
          if (page !== undefined) this.#count(page.total);
          return page;
        }),
    });
    this.#view = vscode.window.createTreeView(viewId, { treeDataProvider: this, showCollapseAll: false });
    this.#tasks = vscode.window.createTreeView(tasksId, {
      treeDataProvider: {
        onDidChangeTreeData: this.onDidChangeTreeData,
        getChildren: (node?: NeedNode) => this.#tasksIn(node),
        getTreeItem: (node) => needRow(node, Date.now()),
      },
      showCollapseAll: false,
    });
    this.register(
      this.#view,
      this.#tasks,
      this.#treeEmitter,
      this.#rowsEmitter,
      this.#view.onDidChangeSelection((event) => {
        this.#lastSelected = event.selection[0] ?? this.#lastSelected;
      }),
      this.#tasks.onDidCollapseElement(({ element }) => {
        if (element.kind === 'folder') model.close(element.folder);
      }),
      this.#tasks.onDidChangeVisibility(() => void this.#showFolders()),
      terminals.onDidChange(() => {
        if (model.items.some(({ agent }) => agent !== undefined)) this.#treeEmitter.fire(undefined);
      }),
      server.onDidChangeState(() => this.#stateChanged()),
      server.onDidChangeStatus((status) => {
        this.#count(status.needs);
        void setContext(
          'signalbox.hasTasks',
          status.ssots.some(({ tasks, rejected }) => tasks + rejected > 0),
        );
        void this.refresh();
      }),
      server.onDidChange((change) => {
        this.#count(change.needs);
        if (change.kinds.includes('tasks')) this.#foldersStale = true;
        void this.#looks.revision(change.revision);
        void this.#showFolders();
      }),
      vscode.window.onDidChangeWindowState((state) => void this.#windowChanged(state)),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('signalbox.badge')) this.#showBadge();
      }),
    );
    // "5 min. ago" has to be updated now and then.
    this.#clock = setInterval(() => {
      if (this.#view.visible && model.items.length > 0) this.#treeEmitter.fire(undefined);
    }, 60_000);
  }

  override dispose(): void {
    clearInterval(this.#clock);
    super.dispose();
  }

  /** Shows the rows again, since one of them changed. */
  redraw(): void {
    this.#treeEmitter.fire(undefined);
  }

  /** How many things need the user. */
  get total(): number {
    return this.#total;
  }

  /** What needs the user, in the server's order, as far as it was fetched. */
  get items(): readonly NeedItem[] {
    return this.#model.items;
  }

  /** The selected row, for commands run from the keyboard. */
  get selected(): NeedNode | undefined {
    return this.#view.selection[0] ?? this.#lastSelected;
  }

  /** The row that was just clicked. */
  clicked(): Promise<NeedNode | undefined> {
    return selectedRow(this.#view);
  }

  /** The row of "Tasks" that was just clicked. */
  clickedTask(): Promise<NeedNode | undefined> {
    return selectedRow(this.#tasks);
  }

  /** The row of a key, as far as it was fetched. */
  rowOf(key: string): NeedNode | undefined {
    return [...this.#model.items.flatMap(nodesOf), ...this.#model.unanswered].find(
      (node) => keyOf(node) === key,
    );
  }

  /**
   * Does something by a key that may end the need of the selected row. The focus then goes
   * to the row that takes its place, or to the last one: VS Code would leave it nowhere.
   */
  async keepPlace(run: () => unknown): Promise<void> {
    const key = keyOf(this.selected);
    const all = (): readonly NeedNode[] => [...this.#model.roots, ...this.#model.unanswered];
    const at = all().findIndex((row) => keyOf(row) === key);
    const stays = (): boolean => all().some((row) => keyOf(row) === key);
    await run();
    // The server tells of the change, and an earlier look at the list may be on its way.
    for (let looks = 0; looks < looksMax && stays(); looks++) await this.#looks.now();
    const rows = all();
    const next = rows[Math.min(at, rows.length - 1)];
    if (at < 0 || stays() || next === undefined || !this.#view.visible) return;
    this.#lastSelected = next;
    try {
      await this.#view.reveal(next, { select: true, focus: true });
    } catch (error) {
      // The list was redrawn meanwhile.
      this.log.debug(`needs you: reveal: ${describeError(error)}`);
    }
  }

  /** Fetches everything again. Failures go to the log. */
  async refresh(): Promise<void> {
    this.#model.forgetRevision();
    this.#foldersStale = true;
    await this.#looks.now();
    await this.#showFolders();
  }

  /** Fetches more of a list. */
  async more(list: PagedList): Promise<void> {
    await this.#load(() => this.#model.more(list).then(() => true));
  }

  getChildren(node?: NeedNode): NeedNode[] {
    if (node?.kind === 'folder') return [...this.#model.unanswered];
    if (node !== undefined) return [];
    return [...this.#away.rows, ...this.#model.roots];
  }

  getParent(node: NeedNode): NeedNode | undefined {
    return this.#model.parentOf(node);
  }

  async #tasksIn(node?: NeedNode): Promise<NeedNode[]> {
    if (node === undefined) return [...this.#model.folders];
    if (node.kind !== 'folder') return [];
    try {
      return [...(await this.#model.rowsOf(node.folder))];
    } catch (error) {
      this.log.error(`needs you: ${node.folder}: ${describeError(error)}`);
      return [];
    }
  }

  getTreeItem(node: NeedNode): vscode.TreeItem {
    const terminal = node.kind === 'agent' ? this.#terminals.of(node.agent) : undefined;
    const draft = 'thread' in node ? this.#unfinished.has(node.thread.ref) : false;
    const asked = node.kind === 'question' && this.#unfinished.has(node.question.thread.ref);
    return needRow(node, Date.now(), { terminal, draft: draft || asked });
  }

  /** Takes the line about what happened meanwhile away. */
  dismissAway(): void {
    this.#away.dismiss();
    this.#treeEmitter.fire(undefined);
  }

  /** Notes what agents do when the user leaves, and says what is new when the user comes back. */
  async #windowChanged(state: vscode.WindowState): Promise<void> {
    if (this.server.state !== 'running') {
      this.#away.forget();
      return;
    }
    try {
      if (await this.#away.changed(state, Date.now())) this.#treeEmitter.fire(undefined);
    } catch (error) {
      this.log.error(`while you were away: ${describeError(error)}`);
    }
  }

  async #showFolders(): Promise<void> {
    if (!this.#tasks.visible || !this.#foldersStale || this.server.state !== 'running') return;
    this.#foldersStale = false;
    await this.#load(async () => {
      try {
        await this.#model.reloadFolders();
        return true;
      } catch (error) {
        this.#foldersStale = true;
        throw error;
      }
    });
  }

  /** Shows what was fetched; nothing for an answer that a later one overtook. Failures go to the log. */
  async #load(fetch: () => Promise<unknown>): Promise<void> {
    const loading = fetch();
    showProgressWhenSlow(viewId, loading);
    try {
      if ((await loading) === undefined) return;
      this.#describe();
      this.#renew();
    } catch (error) {
      this.log.error(`needs you: ${describeError(error)}`);
      // Without a server the change of its state says so.
      if (!this.server.broken && this.#model.roots.length > 0)
        this.#view.message = failureOf('list', error, vscode.l10n.t).text;
    }
  }

  /** Redraws the tree if it changed. A needless redraw would close hovers and lose clicks. */
  #renew(): void {
    const shown = JSON.stringify(this.#model.content);
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#treeEmitter.fire(undefined);
    this.#rowsEmitter.fire(undefined);
  }

  #stateChanged(): void {
    if (this.server.state === 'running') return;
    this.#model.forgetRevision();
    this.#foldersStale = true;
    if (!this.server.broken) return;
    void setContext('signalbox.needsWelcome', 'server');
    // The last rows stay, with a message that they are out of date.
    const empty = this.#model.roots.length === 0;
    this.#view.message = empty
      ? ''
      : failureOf('list', new NotRunning(this.server.problem), vscode.l10n.t).text;
    if (empty) this.#count(0);
    this.#renew();
  }

  #count(total: number): void {
    if (total === this.#total) return;
    this.#total = total;
    this.#showBadge();
    this.#rowsEmitter.fire(undefined);
  }

  #showBadge(): void {
    const value = needsBadge(this.#total, readConfig().badge);
    const tooltip = vscode.l10n.t('need you: {0}', this.#total);
    this.#view.badge = value === undefined ? undefined : { value, tooltip };
  }

  /** Sets the notes above the tree and the welcome text of an empty one. */
  #describe(): void {
    const { status } = this.server;
    if (status === undefined || !this.#model.loaded) return;
    void setContext('signalbox.needsWelcome', 'nothing');
    void setContext('signalbox.canAnswer', !status.readOnly);
    // In an empty tree a message would hide the welcome text.
    this.#view.message = this.#model.roots.length === 0 ? '' : this.#notes(status.readOnly).join('\n');
  }

  #notes(readOnly: boolean): string[] {
    const notes: string[] = [];
    if (readOnly) notes.push(vscode.l10n.t('Read-only: this workspace is not trusted.'));
    const [warning] = this.#model.warnings;
    if (warning !== undefined) notes.push(warning.message);
    return notes;
  }
}
