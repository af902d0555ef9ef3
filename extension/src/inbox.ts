// The inbox: a native tree of threads with a badge, filters and welcome texts.

import * as vscode from 'vscode';
import type { Server } from './client';
import { readConfig } from './config';
import { badgeCount, InboxModel, welcomeFor, type FilterName } from './inboxModel';
import { describeError, refKey, type Counts, type Ref, type Status, type ThreadItem } from './protocol';
import { exactTime, relativeTime } from './when';

/** A row of the inbox. */
export type InboxNode = { readonly kind: 'thread'; readonly thread: ThreadItem } | { readonly kind: 'more' };

const viewId = 'signalbox.inboxView';
const rowScheme = 'signalbox-row';

/** Progress shows only when a load takes longer than this. */
const patienceMillis = 500;

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
      this.#view.onDidChangeVisibility((event) => {
        if (event.visible && !this.#loaded) void this.refresh();
      }),
      server.onDidChangeState(() => {
        this.#stateChanged();
      }),
      server.onDidChangeStatus(() => void this.refresh()),
      server.onDidChange((change) => {
        this.#take(change);
        void this.refresh();
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
      if (this.#view.visible && this.#model.threads.length > 0) this.#treeEmitter.fire(undefined);
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

  /** The thread of the selected row, for commands run from the keyboard. */
  get selected(): ThreadItem | undefined {
    const node = this.#view.selection[0] ?? this.#lastSelected;
    return node?.kind === 'thread' ? node.thread : undefined;
  }

  /** Fetches the list again. Failures go to the log and, for the user, to the welcome text. */
  async refresh(): Promise<void> {
    await this.#load(() => this.#model.reload());
  }

  async more(): Promise<void> {
    await this.#load(() => this.#model.more());
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

  getChildren(node?: InboxNode): InboxNode[] {
    if (node !== undefined) return [];
    const rows: InboxNode[] = this.#model.threads.map((thread) => ({ kind: 'thread', thread }));
    if (this.#model.hasMore) rows.push({ kind: 'more' });
    return rows;
  }

  getTreeItem(node: InboxNode): vscode.TreeItem {
    return node.kind === 'more'
      ? moreItem()
      : threadItem(node.thread, this.#server.status?.alias ?? '', Date.now());
  }

  /**
   * Unread rows stand out by a number and the full colour of the text; read
   * ones step back. A tree cannot show bold: highlighted labels, which once
   * were bold, look like search matches in today's VS Code.
   *
   * The number is in the address, so what an address shows never changes.
   * Saying that it did would take all numbers away until they are asked for.
   */
  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    if (uri.scheme !== rowScheme) return undefined;
    const unread = Number(uri.query);
    if (!(unread > 0)) return { color: new vscode.ThemeColor('signalbox.readForeground') };
    return { badge: unread > 99 ? '99' : String(unread), tooltip: vscode.l10n.t('{0} unread', unread) };
  }

  async #load(fetch: () => Promise<Counts | undefined>): Promise<void> {
    const loading = fetch();
    showProgressWhenSlow(loading);
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
    const shown = JSON.stringify([this.#model.threads, this.#model.hasMore, this.#server.status?.alias]);
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
    this.#view.message = this.#model.threads.length > 0 ? this.#notes(status).join('\n') : '';
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
    const warning = this.#model.warnings.find(({ rule }) => !looking || rule !== 'L4');
    if (warning !== undefined) notes.push(warning.message);
    else if (this.#model.suspicious > 0 && !looking) {
      notes.push(vscode.l10n.t('Suspicious records kept out of the inbox: {0}', this.#model.suspicious));
    }
    return notes;
  }
}

function showProgressWhenSlow(loading: Promise<unknown>): void {
  const timer = setTimeout(() => {
    const quiet = loading.then(
      () => undefined,
      () => undefined,
    );
    void vscode.window.withProgress({ location: { viewId } }, () => quiet);
  }, patienceMillis);
  const stop = (): void => {
    clearTimeout(timer);
  };
  loading.then(stop, stop);
}

function setContext(key: string, value: unknown): Thenable<unknown> {
  return vscode.commands.executeCommand('setContext', key, value);
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
  }
}

function moreItem(): vscode.TreeItem {
  const item = new vscode.TreeItem(vscode.l10n.t('Load more…'));
  item.command = { command: 'signalbox.loadMore', title: vscode.l10n.t('Load more…') };
  item.contextValue = 'more';
  item.iconPath = new vscode.ThemeIcon('ellipsis');
  return item;
}

function threadItem(thread: ThreadItem, me: string, now: number): vscode.TreeItem {
  const locale = vscode.env.language;
  const unread = thread.unread > 0;
  const item = new vscode.TreeItem(thread.title);
  const who = thread.lastFrom === me ? vscode.l10n.t('to {0}', thread.lastTo) : thread.lastFrom;
  const facts = [who, relativeTime(thread.lastTime, now, locale), ...thread.marks];
  item.description = facts.join(' · ');
  item.id = refKey(thread.ref);
  item.resourceUri = vscode.Uri.from({ scheme: rowScheme, path: '/thread', query: String(thread.unread) });
  item.iconPath = rowIcon(thread);
  item.tooltip = rowTooltip(thread, locale);
  item.contextValue = unread ? 'thread.unread' : 'thread.read';
  // Without arguments: VS Code forgets those of a row as soon as the list is
  // renewed, and a click at that moment would do nothing.
  item.command = { command: 'signalbox.openSelected', title: vscode.l10n.t('Open Thread') };
  const spoken = [thread.title, ...facts];
  if (thread.needsReply) spoken.push(vscode.l10n.t('needs your reply'));
  if (unread) spoken.push(vscode.l10n.t('{0} unread', thread.unread));
  item.accessibilityInformation = { label: spoken.join(', ') };
  return item;
}

function rowIcon(thread: ThreadItem): vscode.ThemeIcon {
  if (thread.marks.includes('suspicious')) {
    return new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
  }
  if (thread.needsReply) return new vscode.ThemeIcon('reply');
  return new vscode.ThemeIcon(thread.unread > 0 ? 'mail' : 'mail-read');
}

/** Everything a message says goes in as text: appendText escapes all markup. */
function rowTooltip(thread: ThreadItem, locale: string): vscode.MarkdownString {
  const tooltip = new vscode.MarkdownString('', true);
  tooltip.appendText(thread.title);
  tooltip.appendMarkdown('\n\n');
  tooltip.appendText(thread.participants.join(', '));
  tooltip.appendMarkdown('\n\n');
  tooltip.appendText(
    `${vscode.l10n.t('messages: {0}, unread: {1}', thread.count, thread.unread)} · ${exactTime(thread.lastTime, locale)}`,
  );
  if (thread.needsReply) {
    tooltip.appendMarkdown('\n\n$(reply) ');
    tooltip.appendText(vscode.l10n.t('Needs your reply'));
  }
  if (thread.preview !== '') {
    tooltip.appendMarkdown('\n\n---\n\n');
    tooltip.appendText(`${thread.lastFrom}: ${thread.preview}`);
  }
  return tooltip;
}
