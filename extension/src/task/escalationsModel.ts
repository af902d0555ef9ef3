// The rows of the tree of escalations: open ones in the server's order, and below
// them overdue, rejected and answered ones, and all tasks.

import { Pages } from '../pages';
import type {
  EscalationCounts,
  EscalationItem,
  EscalationPage,
  Overdue,
  Ref,
  RejectedItem,
  Requests,
  Status,
  TaskItem,
  TasksPage,
  Warning,
} from '../protocol';

/** A list that comes in pages. */
export type PagedList = 'open' | 'answered' | 'tasks';

/** A folder below the open escalations. */
export type Folder = 'overdue' | 'rejected' | 'answered' | 'tasks';

export type EscalationNode =
  | { readonly kind: 'escalation'; readonly escalation: EscalationItem }
  | { readonly kind: 'overdue'; readonly overdue: Overdue }
  | { readonly kind: 'rejected'; readonly rejected: RejectedItem }
  | { readonly kind: 'task'; readonly task: TaskItem }
  | { readonly kind: 'folder'; readonly folder: Folder; readonly count: number }
  | { readonly kind: 'more'; readonly list: PagedList };

/** What commands need of a row: what it opens, its task, and the ids of both. */
export interface RowFacts {
  readonly ref: Ref;
  readonly id: string;
  readonly task: Ref;
  readonly taskId: string;
}

/** Returns the facts of an escalation, of something overdue or of a task. Other rows have none. */
export function factsOf(node: EscalationNode | undefined): RowFacts | undefined {
  if (node?.kind === 'escalation') {
    const { ref, id, task } = node.escalation;
    return { ref, id, task: task.ref, taskId: task.id };
  }
  if (node?.kind === 'overdue') {
    const { ref, task, taskId } = node.overdue;
    return { ref, id: taskId, task, taskId };
  }
  if (node?.kind !== 'task') return undefined;
  const { ref, id } = node.task;
  return { ref, id, task: ref, taskId: id };
}

/** Returns what a row opens. A malformed escalation counts for nothing and opens its file instead. */
export function refOfRow(node: EscalationNode | undefined): Ref | undefined {
  const malformed = node?.kind === 'escalation' && node.escalation.malformed === true;
  return malformed ? undefined : factsOf(node)?.ref;
}

/** How the model asks the server. */
export interface TaskLists {
  escalations(params: Requests['signalbox/escalation/list']['params']): Promise<EscalationPage>;
  tasks(params: Requests['signalbox/task/list']['params']): Promise<TasksPage>;
  /** How many tasks there are in all. */
  taskCount(): Promise<number>;
}

const noCounts: EscalationCounts = { critical: 0, warning: 0, info: 0, answered: 0, overdue: 0, rejected: 0 };

/** The lists of the tree. Callers wait for one call before the next. */
export class EscalationsModel {
  readonly #lists: TaskLists;
  #open: Pages<EscalationItem, EscalationPage>;
  #answered: Pages<EscalationItem, EscalationPage>;
  #tasks: Pages<TaskItem, TasksPage>;
  /** The open folders, which a reload fetches too. */
  readonly #shown = new Set<Folder>();
  #page: EscalationPage | undefined;
  #taskCount = 0;

  constructor(lists: TaskLists) {
    this.#lists = lists;
    this.#open = this.#escalations(true);
    this.#answered = this.#escalations(false);
    this.#tasks = this.#allTasks();
  }

  get counts(): EscalationCounts {
    return this.#page?.counts ?? noCounts;
  }

  get warnings(): readonly Warning[] {
    return this.#page?.warnings ?? [];
  }

  /** The open escalations fetched so far. */
  get open(): readonly EscalationItem[] {
    return this.#open.items;
  }

  /** The rows at the top; none until the first fetch. */
  get roots(): readonly EscalationNode[] {
    if (this.#page === undefined) return [];
    const { overdue, rejected, answered } = this.counts;
    const folders: readonly (readonly [Folder, number])[] = [
      ['overdue', overdue],
      ['rejected', rejected],
      ['answered', answered],
      ['tasks', this.#taskCount],
    ];
    return [
      ...this.#open.items.map(escalationNode),
      ...more('open', this.#open.hasMore),
      ...folders
        .filter(([, count]) => count > 0)
        .map(([folder, count]): EscalationNode => ({ kind: 'folder', folder, count })),
    ];
  }

  /** Returns the rows of a folder, fetching them first if needed. */
  async rowsOf(folder: Folder): Promise<readonly EscalationNode[]> {
    this.#shown.add(folder);
    switch (folder) {
      case 'overdue':
        return (this.#page?.overdue ?? []).map((overdue) => ({ kind: 'overdue', overdue }));
      case 'rejected':
        return (this.#page?.rejected ?? []).map((rejected) => ({ kind: 'rejected', rejected }));
      case 'answered':
        await this.#answered.open();
        return [...this.#answered.items.map(escalationNode), ...more('answered', this.#answered.hasMore)];
      case 'tasks':
        await this.#tasks.open();
        return [
          ...this.#tasks.items.map((task): EscalationNode => ({ kind: 'task', task })),
          ...more('tasks', this.#tasks.hasMore),
        ];
    }
  }

  /** Forgets the rows of a closed folder. */
  close(folder: Folder): void {
    this.#shown.delete(folder);
    if (folder === 'answered') this.#answered = this.#escalations(false);
    if (folder === 'tasks') this.#tasks = this.#allTasks();
  }

  /** Fetches the shown lists again. Returns false if a later call overtook this one. */
  async reload(): Promise<boolean> {
    const [page, count] = await Promise.all([
      this.#open.reload(),
      this.#lists.taskCount(),
      this.#shown.has('answered') ? this.#answered.reload() : undefined,
      this.#shown.has('tasks') ? this.#tasks.reload() : undefined,
    ]);
    if (page === undefined) return false;
    this.#page = page;
    this.#taskCount = count;
    return true;
  }

  async more(list: PagedList): Promise<void> {
    if (list === 'open') this.#page = (await this.#open.more()) ?? this.#page;
    else await (list === 'answered' ? this.#answered : this.#tasks).more();
  }

  /** Everything that is shown, to compare before a redraw. */
  get content(): unknown {
    return [
      this.#taskCount,
      this.#page?.counts,
      this.#open.items,
      this.#open.hasMore,
      this.#page?.overdue,
      this.#page?.rejected,
      this.#answered.items,
      this.#answered.hasMore,
      this.#tasks.items,
      this.#tasks.hasMore,
    ];
  }

  #escalations(open: boolean): Pages<EscalationItem, EscalationPage> {
    return new Pages(
      (params) => this.#lists.escalations({ open, ...params }),
      ({ items }) => items,
    );
  }

  #allTasks(): Pages<TaskItem, TasksPage> {
    return new Pages(
      (params) => this.#lists.tasks(params),
      ({ tasks }) => tasks,
    );
  }
}

function escalationNode(escalation: EscalationItem): EscalationNode {
  return { kind: 'escalation', escalation };
}

function more(list: PagedList, has: boolean): readonly EscalationNode[] {
  return has ? [{ kind: 'more', list }] : [];
}

/** Returns how many tasks all directories hold. */
export function taskCount(status: Status): number {
  return status.ssots.reduce((sum, { tasks }) => sum + tasks, 0);
}

/** What the badge counts. */
export interface Alarms {
  readonly critical: number;
  readonly overdue: number;
}

/** Returns the number on the badge, or undefined for none. */
export function alarmCount({ critical, overdue }: Alarms, setting: string): number | undefined {
  const value = setting === 'off' ? 0 : critical + overdue;
  return value > 0 ? value : undefined;
}

/** Returns the welcome text of an empty tree while the server runs. */
export function tasksWelcome(status: Status): 'noSsot' | 'nothing' {
  return status.ssots.some(({ exists }) => exists) ? 'nothing' : 'noSsot';
}

/** Returns why nothing can be written to a ref's directory, or undefined if it can. */
export function whyReadOnly(
  status: Status | undefined,
  ref: Ref,
): 'stopped' | 'untrusted' | 'notWritable' | undefined {
  if (status === undefined) return 'stopped';
  if (status.readOnly) return 'untrusted';
  const ssot = status.ssots.find(({ store }) => store === ref.store);
  return ssot?.writable === true ? undefined : 'notWritable';
}
