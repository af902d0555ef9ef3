// The content of the inbox: the filter, the groups, the pages fetched so far, the counts.

import { refKey } from '../refs';
import type { Counts, Group, InboxPage, MarkParams, Sort, Status, ThreadItem, Warning } from '../protocol';
import { isFiltered, noFilter, serverFilter, type Filter } from './filter';
import { folded, hasFolds, type Folded } from './older';
import { standsOut } from '../thread/model';
import { type Ref } from '../protocol';
import { ThreadPages, type ListAll, type ListThreads } from './threadPages';

/**
 * Returns the groups that threads are listed under, in the server's order, or none if there is
 * only mail. Worktrees without threads are left out: the Agents view shows them.
 */
export function groupsToShow(groups: readonly Group[]): readonly Group[] {
  const shown = groups.filter(({ kind, threads }) => kind === 'mail' || threads > 0);
  return shown.some(({ kind }) => kind === 'worktree') ? shown : [];
}

/** Folders with more threads than this start collapsed. */
const fewThreads = 20;

/** Reports whether a group starts expanded. Worktrees that are not open here start as one row. */
export function startsOpen(group: Group): boolean {
  return (
    group.kind === 'mail' || (group.opened === true && group.gone !== true && group.threads <= fewThreads)
  );
}

/** Less than any revision. */
const noRevision = -1;

/** How many messages are unread and how many threads need a reply. */
export type InboxCounts = Omit<Counts, 'revision'>;

/** The threads of the inbox, in one list or one for each group. Callers make one call at a time. */
export class InboxModel {
  readonly #list: ListThreads;
  readonly #listAll: ListAll;
  #filter = noFilter;
  #sort: Sort = 'newest';
  #all: ThreadPages;
  #groups: readonly Group[] = [];
  #known: readonly Group[] = [];
  /** The lists of the groups that are, or were, open. */
  #lists = new Map<string, ThreadPages>();
  #warnings: readonly Warning[] = [];
  #suspicious = 0;
  #revision = noRevision;
  #turn = 0;
  #grouped = true;

  constructor(list: ListThreads, listAll: ListAll) {
    this.#list = list;
    this.#listAll = listAll;
    this.#all = this.#pages();
  }

  get filter(): Filter {
    return this.#filter;
  }

  get sort(): Sort {
    return this.#sort;
  }

  /** All groups, including those without a thread that passes the filter. */
  get allGroups(): readonly Group[] {
    return this.#known;
  }

  /** The groups with something to show. Empty if the threads are one flat list. */
  get groups(): readonly Group[] {
    if (!isFiltered(this.#filter)) return this.#groups;
    return this.#groups.filter(({ id }) => this.threadsIn(id).length > 0);
  }

  /** All threads fetched so far. */
  get threads(): readonly ThreadItem[] {
    return this.#groups.length === 0
      ? this.#all.threads
      : this.#groups.flatMap(({ id }) => this.threadsIn(id));
  }

  /** Whether there is no row to show. */
  get empty(): boolean {
    return this.#groups.length === 0 ? this.#all.threads.length === 0 : this.groups.length === 0;
  }

  /** Returns the threads fetched so far of a group, or of the flat list. */
  threadsIn(group: string | undefined): readonly ThreadItem[] {
    return this.#pagesOf(group)?.threads ?? [];
  }

  /** Whether older threads are folded. */
  get hasFolds(): boolean {
    return hasFolds(this.#filter, this.#sort);
  }

  /** Returns the threads of a group, or of the flat list, with the older ones folded. */
  folded(group: string | undefined, now: number): Folded {
    const threads = this.threadsIn(group);
    if (!this.hasFolds) return { shown: threads, older: [], count: 0, moreInside: false };
    const listed = group === undefined ? this.#known : this.#groups.filter(({ id }) => id === group);
    const total = listed.reduce((sum, one) => sum + one.threads, 0);
    return folded(threads, { total, hasMore: this.hasMore(group), now });
  }

  hasMore(group?: string): boolean {
    return this.#pagesOf(group)?.hasMore ?? false;
  }

  /** The revision of the last reload. It is -1 before the first one and after forgetRevision. */
  get revision(): number {
    return this.#revision;
  }

  /** Makes the next reload replace every row. A restarted server counts from the beginning. */
  forgetRevision(): void {
    this.#revision = noRevision;
  }

  get warnings(): readonly Warning[] {
    return this.#warnings;
  }

  /** How many records the server keeps out of the inbox because they may be forged. */
  get suspicious(): number {
    return this.#suspicious;
  }

  /** Sets the filter. The next reload fetches the threads. */
  setFilter(filter: Filter): void {
    this.#turn++;
    this.#revision = noRevision;
    this.#filter = filter;
    this.#all = this.#pages();
    this.#lists.clear();
  }

  /** Sets the order. The next reload fetches the threads. */
  setSort(sort: Sort): void {
    this.#sort = sort;
    this.setFilter(this.#filter);
  }

  /** Sets whether threads are listed under their groups. The next reload fetches them. */
  setGrouped(grouped: boolean): void {
    this.#grouped = grouped;
    this.#groups = [];
    this.setFilter(this.#filter);
  }

  /**
   * Fetches the shown lists again. Returns the counts, or undefined if a later call overtook
   * this one. The answer of this call is then dropped.
   */
  async reload(): Promise<Counts | undefined> {
    const turn = ++this.#turn;
    // Under a filter all groups are fetched, to see which of them have something to show.
    if (isFiltered(this.#filter)) for (const { id } of this.#groups) this.#listOf(id);
    const shown = this.#groups.length === 0 ? [this.#all] : this.#listsOf(this.#groups);
    const page = await this.#reloadAll(shown, this.#revision);
    if (page === undefined || turn !== this.#turn) return undefined;
    const { group } = this.#filter;
    const known = page.revision === this.#revision ? this.#known : page.groups;
    const groups = (this.#grouped ? groupsToShow(known) : []).filter(
      ({ id }) => group === '' || id === group,
    );
    const more = this.#missing(groups);
    if (more.length > 0) await this.#reloadAll(more);
    if (turn !== this.#turn) return undefined;
    this.#known = known;
    this.#groups = groups;
    if (groups.length > 0) this.#all = this.#pages();
    const ids = new Set(groups.map(({ id }) => id));
    for (const id of this.#lists.keys()) if (!ids.has(id)) this.#lists.delete(id);
    this.#revision = page.revision;
    return this.#take(page);
  }

  /**
   * Fetches lists again with one request for all their first pages. Returns the first page of
   * the first list. Threads stay the same objects in a list that is still at revision `held`.
   */
  async #reloadAll(lists: readonly ThreadPages[], held = noRevision): Promise<InboxPage | undefined> {
    const begun = lists.map((list) => list.begin());
    const wishes = lists.map(({ group }, n) => ({
      ...(group === undefined ? {} : { group }),
      limit: begun[n]?.limit ?? 0,
    }));
    const params = { filter: serverFilter(this.#filter), sort: this.#sort, lists: wishes };
    const { pages } = await this.#listAll(params);
    const finished = lists.map(async (list, n) => {
      const [turn, page] = [begun[n], pages[n]];
      if (turn !== undefined && page !== undefined) await list.finish(turn, page, page.revision === held);
    });
    await Promise.all(finished);
    return pages[0];
  }

  /** Returns the lists to show for these groups that were not requested yet. */
  #missing(groups: readonly Group[]): readonly ThreadPages[] {
    if (groups.length === 0) return this.#groups.length === 0 ? [] : [this.#all];
    const filtered = isFiltered(this.#filter);
    const first = this.#groups.length === 0;
    return groups
      .filter((group) => !this.#lists.has(group.id) && (filtered || (first && startsOpen(group))))
      .map(({ id }) => this.#listOf(id));
  }

  #listsOf(groups: readonly Group[]): readonly ThreadPages[] {
    return groups.flatMap(({ id }) => this.#lists.get(id) ?? []);
  }

  /** Fetches a group's first page unless it was fetched. */
  async open(group: string): Promise<void> {
    await this.#listOf(group).open();
  }

  /** Forgets the threads of a group that was collapsed. Under a filter they are kept. */
  close(group: string): void {
    if (!isFiltered(this.#filter)) this.#lists.delete(group);
  }

  /** Fetches the next page of a group, or of the flat list. Returns the same as reload. */
  async more(group?: string): Promise<Counts | undefined> {
    const page = await this.#pagesOf(group)?.more();
    return page === undefined ? undefined : this.#take(page);
  }

  #pages(group?: string): ThreadPages {
    return new ThreadPages(this.#list, serverFilter(this.#filter), group, this.#sort);
  }

  #pagesOf(group: string | undefined): ThreadPages | undefined {
    return group === undefined ? this.#all : this.#lists.get(group);
  }

  #listOf(group: string): ThreadPages {
    const known = this.#lists.get(group);
    if (known !== undefined) return known;
    const made = this.#pages(group);
    this.#lists.set(group, made);
    return made;
  }

  #take(page: InboxPage): Counts {
    this.#warnings = page.warnings;
    this.#suspicious = page.suspicious;
    return { unread: page.unread, needsReply: page.needsReply, revision: page.revision };
  }
}

/**
 * Returns the threads that the focus may go to when some leave the list, the first choice first:
 * the threads after the first one that leaves, then the threads before it, nearest first.
 */
export function nearest(shown: readonly ThreadItem[], leaving: ReadonlySet<string>): readonly ThreadItem[] {
  const at = shown.findIndex(({ ref }) => leaving.has(refKey(ref)));
  const before = shown.slice(0, Math.max(at, 0)).reverse();
  return [...shown.slice(at + 1), ...before].filter(({ ref }) => !leaving.has(refKey(ref)));
}

/** Returns the number on the badge that the setting chooses. Undefined means no badge. */
export function badgeCount({ unread }: InboxCounts, needs: number, setting: string): number | undefined {
  const count = setting === 'needsYou' ? needs : setting === 'unread' ? unread : 0;
  return count > 0 ? count : undefined;
}

/** The welcome text in an empty inbox while the server runs. */
export type Welcome = 'first' | 'noAlias' | 'untrusted' | 'noMatches' | 'noMessages';

/** Returns the text about the first thing that the user can act on, beginning with the setup. */
export function welcomeFor(status: Status, filter: Filter, trusted: boolean): Welcome {
  const signed = status.mailRoots.some(({ exists }) => exists);
  const hasMail = signed || status.directories.some((directory) => directory.exists);
  if (hasMail && isFiltered(filter)) return 'noMatches';
  if (status.person === undefined) return 'first';
  if (!signed && !status.aliasValid) return 'noAlias';
  return trusted ? 'noMessages' : 'untrusted';
}

/** Returns the request that marks all that passes a filter as read, or undefined if none can be. */
export function markAllParams(filter: Filter, updateWatermark: boolean): MarkParams | undefined {
  // Suspicious records are neither read nor unread.
  if (filter.suspicious) return undefined;
  return { filter: serverFilter(filter), updateWatermark };
}

/** Returns the refs that can be marked: an agent's or suspicious thread only if it stands out. */
export function markable(threads: readonly ThreadItem[], refs: readonly Ref[]): readonly Ref[] {
  const known = new Map(threads.map((thread) => [refKey(thread.ref), thread]));
  return refs.filter((ref) => {
    const thread = known.get(refKey(ref));
    return (
      thread === undefined ||
      (thread.agent === undefined && !thread.marks.includes('suspicious')) ||
      standsOut(thread)
    );
  });
}
