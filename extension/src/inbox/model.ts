// What the inbox holds: the filter, the groups, the pages fetched so far, the
// counts.

import { refKey } from '../refs';
import type { Counts, Group, InboxPage, MarkParams, Sort, Status, ThreadItem, Warning } from '../protocol';
import { isFiltered, noFilter, serverFilter, type Filter } from './filter';
import { folded, hasFolds, type Folded } from './older';
import { standsOut } from '../thread/model';
import { type Ref } from '../protocol';
import { ThreadPages, type ListAll, type ListThreads } from './threadPages';

/**
 * The groups that threads are listed under, as the server orders them, or none
 * where there is only mail. Worktrees without threads are left out: the Agents view has them.
 */
export function groupsToShow(groups: readonly Group[]): readonly Group[] {
  const shown = groups.filter(({ kind, threads }) => kind === 'mail' || threads > 0);
  return shown.some(({ kind }) => kind === 'worktree') ? shown : [];
}

/** Folders with more threads than this start collapsed. */
const fewThreads = 20;

/** How a group's row begins: one row says it all of the worktrees that are not open here. */
export function startsOpen(group: Group): boolean {
  return (
    group.kind === 'mail' || (group.opened === true && group.gone !== true && group.threads <= fewThreads)
  );
}

/** No revision is as small. */
const none = -1;

/** What is left unread or to be answered. */
export type Left = Omit<Counts, 'revision'>;

/** The threads of the inbox, in one list or in one for each group. Callers order their calls. */
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
  #revision = none;
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

  /** All groups there are, also those without a thread that passes the filter. */
  get allGroups(): readonly Group[] {
    return this.#known;
  }

  /** The groups with something to show. None: the threads are one flat list. */
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

  /** Whether there is not one row to show. */
  get empty(): boolean {
    return this.#groups.length === 0 ? this.#all.threads.length === 0 : this.groups.length === 0;
  }

  /** The threads fetched so far of a group, or of the flat list. */
  threadsIn(group: string | undefined): readonly ThreadItem[] {
    return this.#pagesOf(group)?.threads ?? [];
  }

  /** Whether older threads are apart. */
  get hasFolds(): boolean {
    return hasFolds(this.#filter, this.#sort);
  }

  /** A group's threads, or those of the flat list, with the older ones apart. */
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

  /** The revision that the last reload showed; less than any before the first, and for a server that is gone. */
  get revision(): number {
    return this.#revision;
  }

  /** Makes the next reload take every row anew. A server that is started again counts from the beginning. */
  forgetRevision(): void {
    this.#revision = none;
  }

  get warnings(): readonly Warning[] {
    return this.#warnings;
  }

  /** How many records the server keeps out of the inbox because they may be forged. */
  get suspicious(): number {
    return this.#suspicious;
  }

  /** Chooses a filter; the threads are fetched by the next reload. */
  setFilter(filter: Filter): void {
    this.#turn++;
    this.#revision = none;
    this.#filter = filter;
    this.#all = this.#pages();
    this.#lists.clear();
  }

  /** Chooses an order; the threads are fetched by the next reload. */
  setSort(sort: Sort): void {
    this.#sort = sort;
    this.setFilter(this.#filter);
  }

  /** Chooses whether threads stand under their groups; they are fetched by the next reload. */
  setGrouped(grouped: boolean): void {
    this.#grouped = grouped;
    this.#groups = [];
    this.setFilter(this.#filter);
  }

  /**
   * Fetches again what is shown. Returns the counts, or undefined where a later
   * call overtook this one, whose answer is then dropped.
   */
  async reload(): Promise<Counts | undefined> {
    const turn = ++this.#turn;
    // Under a filter only a look into each group tells which of them have something.
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
   * Fetches lists again with one request for all their first pages. Returns the first
   * page of the first. What is held stays where it shows that revision.
   */
  async #reloadAll(lists: readonly ThreadPages[], held = none): Promise<InboxPage | undefined> {
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

  /** The lists that are to be shown and that nobody asked for yet, when the groups turn out to be these. */
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

  /** Fetches a group's first page unless it is there. */
  async open(group: string): Promise<void> {
    await this.#listOf(group).open();
  }

  /** Forgets the threads of a group that is no longer looked at. */
  close(group: string): void {
    if (!isFiltered(this.#filter)) this.#lists.delete(group);
  }

  /** Fetches the next page of a group, or of the flat list. Returns the counts, or undefined as reload does. */
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

/** The threads that the focus goes to when some leave the list, the first choice first: those after them, then those before. */
export function nearest(shown: readonly ThreadItem[], leaving: ReadonlySet<string>): readonly ThreadItem[] {
  const at = shown.findIndex(({ ref }) => leaving.has(refKey(ref)));
  const before = shown.slice(0, Math.max(at, 0)).reverse();
  return [...shown.slice(at + 1), ...before].filter(({ ref }) => !leaving.has(refKey(ref)));
}

/** Returns the number on the badge: what needs the user or is unread, as the setting says. Undefined is no badge. */
export function badgeCount({ unread }: Left, needs: number, setting: string): number | undefined {
  const count = setting === 'needsYou' ? needs : setting === 'unread' ? unread : 0;
  return count > 0 ? count : undefined;
}

/** Which welcome text stands in an empty inbox of a running server. */
export type Welcome = 'first' | 'noAlias' | 'untrusted' | 'noMatches' | 'noMessages';

/** Chooses it: the first thing the user can do something about. Who never set up agents sees nothing but that. */
export function welcomeFor(status: Status, filter: Filter, trusted: boolean): Welcome {
  const signed = status.mailRoots.some(({ exists }) => exists);
  const there = signed || status.directories.some((directory) => directory.exists);
  if (there && isFiltered(filter)) return 'noMatches';
  if (status.person === undefined) return 'first';
  if (!signed && !status.aliasValid) return 'noAlias';
  return trusted ? 'noMessages' : 'untrusted';
}

/** The request that marks everything under a filter as read, or undefined where there is nothing to mark. */
export function markAllParams(filter: Filter, updateWatermark: boolean): MarkParams | undefined {
  // Suspicious records are neither read nor unread.
  if (filter.suspicious) return undefined;
  return { filter: serverFilter(filter), updateWatermark };
}

/** The threads whose read marks can be set: an agent's own conversation has none but that it came back. */
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
