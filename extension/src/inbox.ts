// The inbox: a native tree of threads, under the worktrees they stand in where
// there are any, with a badge, filters and welcome texts.

import * as vscode from 'vscode';
import type { Server } from './client';
import { readConfig } from './config';
import { badgeCount, InboxModel, welcomeFor, type FilterName } from './inboxModel';
import { groupItem, moreItem, rowDecoration, threadItem, type InboxNode } from './inboxRows';
import { patienceMillis, showProgressWhenSlow } from './progress';
import { describeError, refKey, type Counts, type Ref, type Status, type ThreadItem } from './protocol';

const viewId = 'signalbox.inboxView';

export class Inbox
  implements vscode.TreeDataProvider<InboxNode>, vscode.FileDecorationProvider, vscode.Disposable
{
  readonly #server: Server;
  readonly #log: vscode.LogOutputChannel;
  readonly #model: InboxModel;
  readonly #view: vscode.TreeView<InboxNode>;
  readonly #treeEmitter = new vscode.EventEmitter<undefined>();
  readonly #countsEmitter = new vscode.EventEmitter<Counts>();
  readonly #disposables: vscode.Disposable[] = [];
  readonly #clock: NodeJS.Timeout;
  #counts: Counts = { unread: 0, needsReply: 0 };
  #loaded = false;
  #shown = '';
  #lastSelected: InboxNode | undefined;

  readonly onDidChangeTreeData = this.#treeEmitter.event;
  /** Fires when the numbers of unread messages or threads to answer may have changed. */
  readonly onDidChangeCounts = this.#countsEmitter.event;

  constructor(server: Server, log: vscode.LogOutputChannel) {
    this.#server = server;
    this.#log = log;
    this.#model = new InboxModel((params) => server.request('signalbox/inbox/list', params));
    this.#view = vscode.window.createTreeView(viewId, { treeDataProvider: this, showCollapseAll: false });
    this.#disposables.push(
      this.#view,
      this.#treeEmitter,
      this.#countsEmitter,
      vscode.window.registerFileDecorationProvider(this),
      this.#view.onDidChangeSelection((event) => {
        this.#lastSelected = event.selection[0] ?? this.#lastSelected;
      }),
      this.#view.onDidCollapseElement(({ element }) => {
        if (element.kind === 'group') this.#model.close(element.group.id);
      }),
      this.#view.onDidChangeVisibility((event) => {
        if (event.visible && !this.#loaded) void this.refresh();
      }),
      server.onDidChangeState(() => {
        this.#stateChanged();
      }),
      server.onDidChangeStatus(() => void this.refresh()),
      server.onDidChange((change) => {
        this.#take(change);
        // Tasks are no mail, and agents write many messages about them.
        if (change.kinds.length === 0 || change.kinds.some((kind) => kind !== 'tasks')) void this.refresh();
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => {
        this.#describe();
      }),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('signalbox.badge')) this.#showBadge();
      }),
    );
    // "5 min. ago" grows old on its own.
    this.#clock = setInterval(() => {
      if (this.#view.visible && !this.#model.empty) this.#treeEmitter.fire(undefined);
    }, 60_000);
  }

  dispose(): void {
    clearInterval(this.#clock);
    for (const disposable of this.#disposables) disposable.dispose();
  }

  get counts(): Counts {
    return this.#counts;
  }

  get threads(): readonly ThreadItem[] {
    return this.#model.threads;
  }

  /** The title of a thread that is listed. */
  titleOf(ref: Ref): string | undefined {
    return this.#model.threads.find((thread) => refKey(thread.ref) === refKey(ref))?.title;
  }

  /** The thread of the selected row, for commands run from the keyboard. */
  get selected(): ThreadItem | undefined {
    const node = this.#selectedNode;
    return node?.kind === 'thread' ? node.thread : undefined;
  }

  get #selectedNode(): InboxNode | undefined {
    return this.#view.selection[0] ?? this.#lastSelected;
  }

  /** Fetches the list again. Failures go to the log and, for the user, to the welcome text. */
  async refresh(): Promise<void> {
    await this.#load(() => this.#model.reload());
  }

  /** Fetches the next page of the list whose last row is selected. */
  async more(): Promise<void> {
    const node = this.#selectedNode;
    const group = node?.kind === 'more' ? node.group : undefined;
    await this.#load(() => this.#model.more(group));
  }

  async setFilter(filter: FilterName): Promise<void> {
    this.#model.setFilter(filter);
    await this.refresh();
  }

  /** Marks threads read or unread. Never moves a watermark unless the setting says so. */
  async setRead(refs: readonly Ref[], read: boolean): Promise<void> {
    if (refs.length === 0 || this.#server.status?.readOnly === true) return;
    const updateWatermark = readConfig().updateWatermark;
    const counts = await this.#server.request('signalbox/read/set', { refs, read, updateWatermark });
    this.#take(counts);
    await this.refresh();
  }

  /** Archives threads of the user's own mailbox, or takes them back into the inbox. */
  async setArchived(refs: readonly Ref[], archived: boolean): Promise<void> {
    if (refs.length === 0) return;
    this.#take(await this.#server.request('signalbox/mail/archive', { refs, archived }));
    await this.refresh();
  }

  async getChildren(node?: InboxNode): Promise<InboxNode[]> {
    if (node === undefined) {
      const groups = this.#model.groups;
      return groups.length === 0 ? this.#rows() : groups.map((group) => ({ kind: 'group', group }));
    }
    if (node.kind !== 'group') return [];
    try {
      await this.#model.open(node.group.id);
    } catch (error) {
      this.#log.error(`inbox: ${node.group.title}: ${describeError(error)}`);
    }
    return this.#rows(node.group.id);
  }

  #rows(group?: string): InboxNode[] {
    const rows: InboxNode[] = this.#model.threadsIn(group).map((thread) => ({ kind: 'thread', thread }));
    if (this.#model.hasMore(group)) rows.push({ kind: 'more', group });
    return rows;
  }

  getTreeItem(node: InboxNode): vscode.TreeItem {
    switch (node.kind) {
      case 'group':
        return groupItem(node.group, this.#model.filter);
      case 'thread':
        return threadItem(node.thread, this.#server.status, Date.now());
      case 'more':
        return moreItem(node.group);
    }
  }

  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    return rowDecoration(uri);
  }

  async #load(fetch: () => Promise<Counts | undefined>): Promise<void> {
    const loading = fetch();
    showProgressWhenSlow(viewId, loading);
    try {
      const counts = await loading;
      if (counts === undefined) return;
      this.#loaded = true;
      this.#take(counts);
      this.#describe();
      this.#renew();
    } catch (error) {
      this.#log.error(`inbox: ${describeError(error)}`);
    }
  }

  /** Draws the list again if anything in it is new: a list redrawn in vain loses hovers and clicks. */
  #renew(): void {
    const { groups } = this.#model;
    const lists = groups.length === 0 ? [undefined] : groups.map(({ id }) => id);
    const rows = lists.map((list) => [this.#model.threadsIn(list), this.#model.hasMore(list)]);
    const { alias, mailRoots } = this.#server.status ?? {};
    const own = mailRoots?.flatMap(({ boxes }) => boxes.filter((box) => box.own).map(({ name }) => name));
    const shown = JSON.stringify([groups, rows, alias, own]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#treeEmitter.fire(undefined);
  }

  #stateChanged(): void {
    const state = this.#server.state;
    void setContext('signalbox.running', state === 'running');
    if (state === 'running') return;
    this.#loaded = false;
    if (state === 'missing' || state === 'failed' || state === 'stopped') {
      this.#model.clear();
      this.#take({ unread: 0, needsReply: 0 });
      // A welcome text shows only where there is no message; the log and the status bar say the rest.
      this.#view.message = '';
      void setContext('signalbox.welcome', state);
      this.#renew();
    } else if (state === 'starting') {
      this.#view.message = '';
      setTimeout(() => {
        if (this.#server.state === 'starting') void setContext('signalbox.welcome', 'starting');
      }, patienceMillis);
    }
  }

  #take(counts: Counts): void {
    this.#counts = { unread: counts.unread, needsReply: counts.needsReply };
    this.#showBadge();
    this.#countsEmitter.fire(this.#counts);
  }

  #showBadge(): void {
    const setting = readConfig().badge;
    const value = badgeCount(this.#counts, setting);
    if (value === undefined) {
      this.#view.badge = undefined;
      return;
    }
    const tooltip =
      setting === 'unread'
        ? vscode.l10n.t('unread messages: {0}', value)
        : vscode.l10n.t('threads that need your reply: {0}', value);
    this.#view.badge = { value, tooltip };
  }

  /** Says above the list what limits it, and which filter is on. */
  #describe(): void {
    const status = this.#server.status;
    if (status === undefined) return;
    // A message would hide the welcome text of an empty list, which says more.
    this.#view.message = !this.#model.empty ? this.#notes(status).join('\n') : '';
    // In the title: the description of a container's only view is not shown.
    this.#view.title = titleWords(this.#model.filter);
    const welcome = welcomeFor(status, this.#model.filter, vscode.workspace.isTrusted);
    void setContext('signalbox.welcome', welcome);
  }

  #notes(status: Status): string[] {
    const notes: string[] = [];
    if (status.readOnly) notes.push(vscode.l10n.t('Read-only: this workspace is not trusted.'));
    if (!status.aliasValid) {
      notes.push(vscode.l10n.t('No valid alias: set signalbox.alias to see your mail and to answer it.'));
    }
    // Whoever looks at the suspicious records need not be sent to them.
    const looking = this.#model.filter === 'suspicious';
    const warnings = this.#model.warnings.filter(({ rule }) => !looking || rule !== 'L4');
    // A key that changed is the gravest of them.
    const warning = warnings.find(({ rule }) => rule === 'SIG-7') ?? warnings[0];
    if (warning !== undefined) notes.push(breakable(warning.message));
    else if (this.#model.suspicious > 0 && !looking) {
      notes.push(vscode.l10n.t('Suspicious records kept out of the inbox: {0}', this.#model.suspicious));
    }
    return notes;
  }
}

function setContext(key: string, value: unknown): Thenable<unknown> {
  return vscode.commands.executeCommand('setContext', key, value);
}

/** A text whose long words, such as fingerprints and paths, may go on in a next line: the view cuts them off else. */
function breakable(text: string): string {
  return text.replace(/\S{16}(?=\S)/g, '$&\u200b');
}

function titleWords(filter: FilterName): string {
  switch (filter) {
    case 'all':
      return vscode.l10n.t('Inbox');
    case 'unread':
      return vscode.l10n.t('Unread');
    case 'mine':
      return vscode.l10n.t('Mine');
    case 'suspicious':
      return vscode.l10n.t('Suspicious');
    case 'archived':
      return vscode.l10n.t('Archived');
  }
}
