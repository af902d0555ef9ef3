// The folders of "Tasks": what was rejected, what was answered, and the tasks themselves.

import { Pages } from '../server/pages';
import type {
  EscalationItem,
  EscalationPage,
  Overdue,
  Ref,
  RejectedItem,
  Requests,
  Status,
  TaskItem,
  TasksPage,
} from '../protocol';

/** A folder of the view. */
export type Folder = 'rejected' | 'answered' | 'tasks';

/** A folder that is fetched in parts. */
export type PagedFolder = Exclude<Folder, 'rejected'>;

export type TaskNode =
  | { readonly kind: 'escalation'; readonly escalation: EscalationItem }
  | { readonly kind: 'rejected'; readonly rejected: RejectedItem }
  | { readonly kind: 'task'; readonly task: TaskItem }
  | { readonly kind: 'folder'; readonly folder: Folder; readonly count: number }
  | { readonly kind: 'more'; readonly list: PagedFolder };

/** What a command about tasks is about: a row of the view, or one of "Needs You". */
export type TaskRow = TaskNode | { readonly kind: 'overdue'; readonly overdue: Overdue };

/** What commands need of a row: what it opens, its task, and the ids of both. */
export interface RowFacts {
  readonly ref: Ref;
  readonly id: string;
  readonly task: Ref;
  readonly taskId: string;
}

/** Returns the facts of an escalation, of something overdue or of a task. Other rows have none. */
export function factsOf(node: TaskRow | undefined): RowFacts | undefined {
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

/** Returns what a row opens. */
export function refOfRow(node: TaskRow | undefined): Ref | undefined {
  return factsOf(node)?.ref;
}

/** How the model asks the server. */
export interface TaskLists {
  escalations(params: Requests['signalbox/escalation/list']['params']): Promise<EscalationPage>;
  tasks(params: Requests['signalbox/task/list']['params']): Promise<TasksPage>;
  /** How many tasks there are in all. */
  taskCount(): Promise<number>;
}

/** The folders and what is in the open ones. Callers wait for one call before the next. */
export class TasksModel {
  readonly #lists: TaskLists;
  #answered: Pages<EscalationItem, EscalationPage>;
  #tasks: Pages<TaskItem, TasksPage>;
  /** The open folders, which a reload fetches too. */
  readonly #shown = new Set<Folder>();
  /** Counts the answered and rejected messages, and holds the latter. */
  #counts: EscalationPage | undefined;
  #taskCount = 0;

  constructor(lists: TaskLists) {
    this.#lists = lists;
    this.#answered = this.#allAnswered();
    this.#tasks = this.#allTasks();
  }

  /** The folders that hold something. */
  get folders(): readonly TaskNode[] {
    const { rejected = 0, answered = 0 } = this.#counts?.counts ?? {};
    const folders: readonly (readonly [Folder, number])[] = [
      ['rejected', rejected],
      ['answered', answered],
      ['tasks', this.#taskCount],
    ];
    return folders
      .filter(([, count]) => count > 0)
      .map(([folder, count]) => ({ kind: 'folder', folder, count }));
  }

  /** Returns the rows of a folder, fetching them first if needed. */
  async rowsOf(folder: Folder): Promise<readonly TaskNode[]> {
    this.#shown.add(folder);
    switch (folder) {
      case 'rejected':
        return (this.#counts?.rejected ?? []).map((rejected) => ({ kind: 'rejected', rejected }));
      case 'answered':
        await this.#answered.open();
        return [
          ...this.#answered.items.map((escalation): TaskNode => ({ kind: 'escalation', escalation })),
          ...more('answered', this.#answered.hasMore),
        ];
      case 'tasks':
        await this.#tasks.open();
        return [
          ...this.#tasks.items.map((task): TaskNode => ({ kind: 'task', task })),
          ...more('tasks', this.#tasks.hasMore),
        ];
    }
  }

  /** Forgets the rows of a closed folder. */
  close(folder: Folder): void {
    this.#shown.delete(folder);
    if (folder === 'answered') this.#answered = this.#allAnswered();
    if (folder === 'tasks') this.#tasks = this.#allTasks();
  }

  /** Fetches the folders that are shown, and how much is in the others. */
  async reload(): Promise<void> {
    const [counts, tasks] = await Promise.all([
      // Open or answered, a page counts them all.
      this.#shown.has('answered')
        ? this.#answered.reload()
        : this.#lists.escalations({ open: false, limit: 1 }),
      this.#lists.taskCount(),
      this.#shown.has('tasks') ? this.#tasks.reload() : undefined,
    ]);
    this.#counts = counts ?? this.#counts;
    this.#taskCount = tasks;
  }

  async more(list: PagedFolder): Promise<void> {
    await (list === 'answered' ? this.#answered : this.#tasks).more();
  }

  /** Everything that is shown, to compare before a redraw. */
  get content(): unknown {
    return [
      this.#taskCount,
      this.#counts?.counts,
      this.#counts?.rejected,
      this.#answered.items,
      this.#answered.hasMore,
      this.#tasks.items,
      this.#tasks.hasMore,
    ];
  }

  #allAnswered(): Pages<EscalationItem, EscalationPage> {
    return new Pages(
      (params) => this.#lists.escalations({ open: false, ...params }),
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

function more(list: PagedFolder, has: boolean): readonly TaskNode[] {
  return has ? [{ kind: 'more', list }] : [];
}

/** Returns how many tasks all directories hold. */
export function taskCount(status: Status): number {
  return status.ssots.reduce((sum, { tasks }) => sum + tasks, 0);
}
