// The inbox: a native tree of threads, grouped by worktree if there are any, with a badge,
// filters and welcome texts.

import { refKey } from '../refs';
import { failureOf } from '../server/failureWords';
import { describeError, NotRunning } from '../server/failures';
import * as vscode from 'vscode';
import { setContext } from '../views/notify';
import type { Server } from '../server/client';
import { readConfig } from '../config';
import { filterText, isFiltered, readSort, serverFilter, type Filter } from './filter';
import { badgeCount, InboxModel, nearest, welcomeFor, type InboxCounts } from './model';
import { isOlder } from './older';
import { groupItem, olderItem, rowDecoration, threadItem, type InboxNode } from './rows';
import { slowMillis, showProgressWhenSlow } from '../views/progress';
import { Limit, type Counts, type Group, type Ref, type Sort, type ThreadItem } from '../protocol';
import { InboxActions } from './actions';
import { Nodes } from './nodes';
import { listNotes } from './notes';
import { countWords, filterWords } from './words';
import { moreItem } from '../views/rowItem';
import { selectedRow } from '../views/selected';
import { nextUnread } from './unreadOrder';
import { Refresher } from '../server/refresher';
import type { Unfinished } from '../thread/unfinished';
import { ServerPart } from '../server/serverPart';

const viewId = 'signalbox.inboxView';
const sortKey = 'signalbox.inbox.sort';

/** The most pages that are fetched to find a thread that is to be shown in the list. */
const pagesToThread = 100;
/** The most pages that are fetched to find the thread in the active tab. */
const pagesToFollow = 10;
/** The most fetches of the list that are waited for until a row has left it. */
const fetchesMost = 5;

/** Reports whether the threads are shown under their worktrees. */
function isGrouped(): boolean {
  return vscode.workspace.getConfiguration('signalbox').get<string>('inbox.groupBy') !== 'none';
}

export class Inbox
  extends ServerPart
  implements vscode.TreeDataProvider<InboxNode>, vscode.FileDecorationProvider
{
  readonly #memento: vscode.Memento;
  readonly #unfinished: Unfinished;
  readonly #model: InboxModel;
  readonly #view: vscode.TreeView<InboxNode>;
  readonly #treeEmitter = new vscode.EventEmitter<undefined>();
  readonly #countsEmitter = new vscode.EventEmitter<InboxCounts>();
  readonly #clock: NodeJS.Timeout;
  #counts: InboxCounts = { unread: 0, needsReply: 0 };
  /** How many items need the user. The badge is here: a page has one only after it was shown. */
  #needs = 0;
  #loaded = false;
  readonly #fetches: Refresher;
  /** The user's actions on threads. */
  readonly actions: InboxActions;
  /** The parts that the tree shows. It is redrawn when one of them is replaced. */
  #shown: readonly unknown[] = [];
  #lastSelected: InboxNode | undefined;
  /** The groups whose older threads are unfolded. The flat list is undefined. */
  readonly #unfolded = new Set<string | undefined>();
  readonly #nodes: Nodes;

  readonly onDidChangeTreeData = this.#treeEmitter.event;
  /** Fires when the number of unread messages or of threads that need a reply may have changed. */
  readonly onDidChangeCounts = this.#countsEmitter.event;

  constructor(server: Server, memento: vscode.Memento, unfinished: Unfinished) {
    super(server);
    this.#memento = memento;
    this.#unfinished = unfinished;
    this.#model = new InboxModel(
      (params) => server.request('signalbox/inbox/list', params),
      (params) => server.request('signalbox/inbox/lists', params),
    );
    const model = this.#model;
    this.#nodes = new Nodes(model);
    this.actions = new InboxActions(server, model, async (counts) => {
      this.#take(counts);
      await this.#fetches.revision(counts.revision);
    });
    this.#fetches = new Refresher({
      get revision() {
        return model.revision;
      },
      reload: () => this.#load(() => this.#model.reload()),
    });
    this.#model.setSort(readSort(memento.get(sortKey)));
    this.#model.setGrouped(isGrouped());
    this.#view = vscode.window.createTreeView(viewId, {
      treeDataProvider: this,
      showCollapseAll: false,
      canSelectMany: true,
    });
    this.register(
      this.#view,
      this.actions,
      this.#treeEmitter,
      this.#countsEmitter,
      vscode.window.registerFileDecorationProvider(this),
      this.#view.onDidChangeSelection((event) => {
        this.#lastSelected = event.selection[0] ?? this.#lastSelected;
      }),
      this.#view.onDidCollapseElement(({ element }) => {
        if (element.kind === 'group') this.#model.close(element.group.id);
        if (element.kind === 'older') this.#unfolded.delete(element.group);
      }),
      this.#view.onDidExpandElement(({ element }) => {
        if (element.kind === 'older') this.#unfolded.add(element.group);
      }),
      this.#view.onDidChangeVisibility((event) => {
        if (event.visible && !this.#loaded) void this.refresh();
      }),
      server.onDidChangeState(() => {
        this.#stateChanged();
      }),
      server.onDidChangeStatus((status) => {
        this.#needs = status.needs;
        void this.refresh();
      }),
      server.onDidChange((change) => {
        this.#needs = change.needs;
        this.#take(change);
        // Tasks are not in the inbox, and agents write many messages about them.
        if (change.kinds.length === 0 || change.kinds.some((kind) => kind !== 'tasks'))
          void this.#fetches.revision(change.revision);
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => {
        this.#describe();
      }),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('signalbox.badge')) this.#showBadge();
        if (event.affectsConfiguration('signalbox.inbox.groupBy')) {
          this.#model.setGrouped(isGrouped());
          void this.refresh();
        }
      }),
    );
    // "5 min. ago" changes without a new message.
    this.#clock = setInterval(() => {
      if (this.#view.visible && !this.#model.empty) this.#treeEmitter.fire(undefined);
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

  get counts(): InboxCounts {
    return this.#counts;
  }

  /** Returns the title of a thread, or undefined if it is not listed. */
  titleOf(ref: Ref): string | undefined {
    return this.#model.threads.find((thread) => refKey(thread.ref) === refKey(ref))?.title;
  }

  /** The thread of the selected row, for commands run from the keyboard. */
  get selected(): ThreadItem | undefined {
    return this.selectedRow?.thread;
  }

  /** The selected row, if a thread is selected. */
  get selectedRow(): Extract<InboxNode, { readonly kind: 'thread' }> | undefined {
    const node = this.#selectedNode;
    return node?.kind === 'thread' ? node : undefined;
  }

  /** Returns the row that was just clicked. */
  clicked(): Promise<InboxNode | undefined> {
    return selectedRow(this.#view);
  }

  /**
   * Whether selecting a row must not open it. A key selects the focused row only to act on it,
   * but selecting opens the thread, and opening marks it as read.
   */
  suppressOpen = false;

  get selection(): readonly ThreadItem[] {
    const rows = this.#view.selection.length > 0 ? this.#view.selection : [this.#selectedNode];
    return rows.flatMap((node) => (node?.kind === 'thread' ? [node.thread] : []));
  }

  /** Whether a group is selected, or the older threads of one. */
  get onGroup(): boolean {
    const kind = this.#view.selection[0]?.kind;
    return kind === 'group' || kind === 'older';
  }

  /**
   * Unfolds the group that a key for rows folded. The key does so if the focus went to a group
   * because the row left the list: VS Code's when clauses do not notice that.
   */
  async unfold(): Promise<void> {
    if (!this.onGroup) return;
    await vscode.commands.executeCommand('list.toggleExpand');
    await vscode.commands.executeCommand('signalbox.keyOnGroup');
  }

  get filter(): Filter {
    return this.#model.filter;
  }

  get sort(): Sort {
    return this.#model.sort;
  }

  /** All groups, including those in which nothing passes the filter. */
  get groups(): readonly Group[] {
    return this.#model.allGroups;
  }

  /** Returns the name of a thread in links, or undefined if it has none. */
  async nameOf(ref: Ref): Promise<string | undefined> {
    const listed = this.#model.threads.find((thread) => refKey(thread.ref) === refKey(ref));
    const thread = listed ?? (await this.server.request('signalbox/thread/get', { ref, limit: 1 })).thread;
    return thread.name;
  }

  get #selectedNode(): InboxNode | undefined {
    return this.#view.selection[0] ?? this.#lastSelected;
  }

  /** Fetches the list again. Failures go to the log and to the view's message. */
  async refresh(): Promise<void> {
    // Trust and expiry change without a revision.
    this.#model.forgetRevision();
    await this.#fetches.now();
  }

  /** Fetches the next page of a group's list. */
  async more(group: string | undefined): Promise<void> {
    await this.#load(() => this.#model.more(group));
  }

  async setFilter(filter: Filter): Promise<void> {
    this.#model.setFilter(filter);
    await this.refresh();
  }

  /** Sorts the list, and saves the order for this workspace. */
  async setSort(sort: Sort): Promise<void> {
    this.#model.setSort(sort);
    await Promise.all([this.#memento.update(sortKey, sort), this.refresh()]);
  }

  /**
   * Returns the unread thread after the one with the key `current`, or before it with `back`, in the
   * list's order and under its filter. The list may not have fetched it yet.
   */
  async nextUnread(current: string | undefined, back: boolean): Promise<ThreadItem | undefined> {
    const filter = { ...serverFilter(this.#model.filter), unread: true };
    if (this.#model.filter.suspicious) return undefined;
    const params = { filter, sort: this.#model.sort, limit: Limit.page };
    const page = await this.server.request('signalbox/inbox/list', params);
    return nextUnread(this.#model.threads, page.threads, current, back);
  }

  /** Selects a thread, and fetches the list up to it. `focus` gives the list the focus. */
  async reveal({ ref, group }: ThreadItem, focus: boolean, most = pagesToThread): Promise<void> {
    const list = this.#model.groups.length === 0 ? undefined : group;
    if (list !== undefined) await this.#model.open(list);
    const key = refKey(ref);
    const fetched = (): boolean => this.#model.threadsIn(list).some((thread) => refKey(thread.ref) === key);
    for (let pages = 0; !fetched() && this.#model.hasMore(list) && pages < most; pages++) {
      if ((await this.#model.more(list)) === undefined) break;
    }
    this.#redrawIfChanged();
    const thread = this.#model.threadsIn(list).find((one) => refKey(one.ref) === key);
    if (thread === undefined || !this.#view.visible) return;
    const node = this.#nodes.of({ kind: 'thread', thread });
    this.#lastSelected = node;
    try {
      await this.#view.reveal(node, { select: true, focus });
    } catch (error) {
      // The list was redrawn meanwhile. Only the selection is missing.
      this.log.debug(`inbox: reveal: ${describeError(error)}`);
    }
  }

  /** Selects the thread in the active tab. Older threads stay folded. */
  async follow(thread: ThreadItem): Promise<void> {
    const key = refKey(thread.ref);
    const selected = this.selection.some(({ ref }) => refKey(ref) === key);
    if (this.#view.visible && !selected && !this.#isFolded(thread))
      await this.reveal(thread, false, pagesToFollow);
  }

  /** Reports whether a thread is, or would be, among the folded older threads. */
  #isFolded(thread: ThreadItem): boolean {
    const list = this.#model.groups.length === 0 ? undefined : thread.group;
    return this.#model.hasFolds && isOlder(thread, Date.now()) && !this.#unfolded.has(list);
  }

  /** Undoes the last action on threads. `focus` gives the row of the first of them the focus. */
  async undo(focus: boolean): Promise<void> {
    const refs = await this.actions.undo();
    if (refs === undefined) return;
    const keys = new Set(refs.map(refKey));
    const back = this.#model.threads.find(({ ref }) => keys.has(refKey(ref)));
    if (focus && back !== undefined) await this.reveal(back, true);
  }

  /**
   * Runs a key's action that may remove the selected rows from the list. The focus then goes to
   * the next remaining row, or to the previous one: VS Code would leave it on a group, or nowhere.
   */
  async keepPlace(run: () => unknown): Promise<void> {
    const leaving = new Set(this.selection.map(({ ref }) => refKey(ref)));
    const unfolded = this.#model.threads.filter((thread) => !this.#isFolded(thread));
    const order = nearest(unfolded, leaving);
    await run();
    const listed = (): Set<string> => new Set(this.#model.threads.map(({ ref }) => refKey(ref)));
    const stays = (): boolean => {
      const now = listed();
      return [...leaving].some((key) => now.has(key));
    };
    // The server reports the change as well, and the fetch that follows may overtake ours.
    for (let fetches = 0; fetches < fetchesMost && stays(); fetches++) await this.#fetches.running;
    if (leaving.size === 0 || stays()) return;
    const remaining = listed();
    const next = order.find(({ ref }) => remaining.has(refKey(ref)));
    if (next !== undefined) await this.reveal(next, true);
  }

  async getChildren(node?: InboxNode): Promise<InboxNode[]> {
    if (node?.kind === 'group') {
      try {
        await this.#model.open(node.group.id);
      } catch (error) {
        this.log.error(`inbox: ${node.group.title}: ${describeError(error)}`);
      }
    }
    return this.#nodes.below(node);
  }

  getParent(node: InboxNode): InboxNode | undefined {
    return this.#nodes.parentOf(node);
  }

  getTreeItem(node: InboxNode): vscode.TreeItem {
    switch (node.kind) {
      case 'group':
        return groupItem(node.group, isFiltered(this.#model.filter), Date.now());
      case 'thread':
        return threadItem(node.thread, this.server.status, Date.now(), this.#unfinished.has(node.thread.ref));
      case 'older':
        return olderItem(node.group, node.count);
      case 'more':
        return moreItem(`more:${node.group ?? ''}`, 'signalbox.openSelected');
    }
  }

  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    return rowDecoration(uri);
  }

  /** Shows what was fetched. Failures go to the log. */
  async #load(fetch: () => Promise<Counts | undefined>): Promise<void> {
    const loading = fetch();
    showProgressWhenSlow(viewId, loading);
    try {
      const counts = await loading;
      if (counts === undefined) return;
      this.#loaded = true;
      this.#take(counts);
      this.#describe();
      this.#redrawIfChanged();
    } catch (error) {
      this.log.error(`inbox: ${describeError(error)}`);
      // If there is no server, the change of its state shows that.
      if (!this.server.broken && !this.#model.empty)
        this.#view.message = failureOf('list', error, vscode.l10n.t).text;
    }
  }

  /** Redraws the list if anything in it changed. A needless redraw loses hovers and clicks. */
  #redrawIfChanged(): void {
    const { groups } = this.#model;
    const lists = groups.length === 0 ? [undefined] : groups.map(({ id }) => id);
    const rows = lists.flatMap((list) => [this.#model.threadsIn(list), this.#model.hasMore(list)]);
    const { alias, mailRoots = [] } = this.server.status ?? {};
    const own = mailRoots.flatMap(({ boxes }) => boxes.filter((box) => box.own).map(({ name }) => name));
    const shown = [...groups, ...rows, alias, ...own];
    if (shown.length === this.#shown.length && shown.every((part, n) => part === this.#shown[n])) return;
    this.#shown = shown;
    this.#nodes.forget();
    this.#treeEmitter.fire(undefined);
  }

  #stateChanged(): void {
    const state = this.server.state;
    void setContext('signalbox.running', state === 'running');
    if (state === 'running') return;
    this.#loaded = false;
    this.#model.forgetRevision();
    if (this.server.broken) {
      void setContext('signalbox.welcome', state);
      // The last list stays, below a message that it is old. A welcome text is shown only
      // if the list is empty, and must not have a message above it.
      this.#view.message = this.#model.empty
        ? ''
        : failureOf('list', new NotRunning(this.server.problem), vscode.l10n.t).text;
      if (this.#model.empty) {
        this.#needs = 0;
        this.#take({ unread: 0, needsReply: 0 });
      }
      this.#redrawIfChanged();
    } else if (state === 'starting') {
      this.#view.message = '';
      setTimeout(() => {
        if (this.server.state === 'starting') void setContext('signalbox.welcome', 'starting');
      }, slowMillis);
    }
  }

  #take(counts: InboxCounts): void {
    this.#counts = { unread: counts.unread, needsReply: counts.needsReply };
    this.#showBadge();
    this.#describeCounts();
    this.#countsEmitter.fire(this.#counts);
  }

  #showBadge(): void {
    const value = badgeCount(this.#counts, this.#needs, readConfig().badge);
    const tooltip = countWords(vscode.l10n.t, this.#needs, this.#counts.unread);
    this.#view.badge = value === undefined ? undefined : { value, tooltip };
  }

  /** Shows notes above the list, the place in the title, and the filter beside it. */
  #describe(): void {
    const status = this.server.status;
    if (status === undefined) return;
    // A message would hide the welcome text of an empty list, which explains more.
    this.#view.message = !this.#model.empty
      ? listNotes(status, this.#model, this.server.sample !== undefined).join('\n')
      : '';
    const { filter } = this.#model;
    // VS Code hides the description of a container's only view, so the title shows the place.
    this.#view.title = filterWords(vscode.l10n.t).places[filter.place];
    this.#describeCounts();
    void setContext('signalbox.filtered', isFiltered(filter));
    const welcome = welcomeFor(status, this.#model.filter, vscode.workspace.isTrusted);
    void setContext('signalbox.welcome', welcome);
  }

  /** Shows beside the title which filter is on, or how much is unread. */
  #describeCounts(): void {
    const { filter, sort, allGroups } = this.#model;
    const { unread } = this.#counts;
    const filtered = filterText({ ...filter, place: 'inbox' }, sort, allGroups, filterWords(vscode.l10n.t));
    const counted = unread > 0 && filter.place === 'inbox' ? vscode.l10n.t('{0} unread', unread) : '';
    this.#view.description = filtered === '' ? counted : filtered;
  }
}
