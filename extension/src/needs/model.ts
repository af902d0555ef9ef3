// The rows of "Needs You": what waits for the user in the server's order; and of "Tasks":
// the folders of tasks.

import { Pages } from '../pages';
import { refKey } from '../refs';
import {
  Limit,
  type AgentItem,
  type AgentRequest,
  type EscalationItem,
  type EscalationPage,
  type NeedItem,
  type NeedsPage,
  type Overdue,
  type Question,
  type Ref,
  type RejectedItem,
  type Requests,
  type Status,
  type TaskItem,
  type TasksPage,
  type ThreadItem,
  type Warning,
} from '../protocol';

/** A list of which only a part may be fetched. */
export type PagedList = 'needs' | 'answered' | 'tasks';

/** A folder: of threads that perhaps need no reply, or of the view of tasks. */
export type Folder = 'unanswered' | 'rejected' | 'answered' | 'tasks';

export type NeedNode =
  /** `thread` stands here too, since the commands about threads look for it in a row. */
  | { readonly kind: 'question'; readonly question: Question; readonly thread: ThreadItem }
  /** A thread that needs a reply and asks nothing. */
  | { readonly kind: 'reply'; readonly thread: ThreadItem; readonly urgent: boolean }
  /** An agent that needs the user, with what it waits for where that can be answered here. */
  | {
      readonly kind: 'agent';
      readonly agent: AgentItem;
      readonly urgent: boolean;
      readonly request?: AgentRequest;
    }
  /** An agent's own thread, whose log says that the agent waits or broke off. */
  | { readonly kind: 'stuck'; readonly thread: ThreadItem; readonly urgent: boolean }
  | { readonly kind: 'escalation'; readonly escalation: EscalationItem }
  | { readonly kind: 'overdue'; readonly overdue: Overdue }
  | { readonly kind: 'rejected'; readonly rejected: RejectedItem }
  | { readonly kind: 'task'; readonly task: TaskItem }
  | { readonly kind: 'folder'; readonly folder: Folder; readonly count: number }
  | { readonly kind: 'more'; readonly list: PagedList }
  /** What happened while nobody used the window. A click takes it away. */
  | { readonly kind: 'away'; readonly words: string };

/** What commands need of a row: what it opens, its task, and the ids of both. */
export interface RowFacts {
  readonly ref: Ref;
  readonly id: string;
  readonly task: Ref;
  readonly taskId: string;
}

/** Returns a name of a row that stays the same while it needs the user. */
export function keyOf(node: NeedNode | undefined): string {
  if (node === undefined) return '';
  if ('thread' in node) return `thread ${refKey(node.thread.ref)}`;
  if (node.kind === 'agent') return agentKey(node);
  const facts = factsOf(node);
  return facts === undefined
    ? ''
    : `${node.kind} ${refKey(node.kind === 'overdue' ? facts.task : facts.ref)}`;
}

/** Returns the name of an agent's row. One agent may wait for several things at once. */
export function agentKey({ agent, request }: Extract<NeedNode, { readonly kind: 'agent' }>): string {
  return request === undefined ? `agent ${agent.key}` : `agent ${agent.key} ${request.id}`;
}

/** Returns the facts of an escalation, of something overdue or of a task. Other rows have none. */
export function factsOf(node: NeedNode | undefined): RowFacts | undefined {
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
export function refOfRow(node: NeedNode | undefined): Ref | undefined {
  return factsOf(node)?.ref;
}

/** How the model asks the server. */
export interface NeedLists {
  needs(params: Requests['signalbox/needs/list']['params']): Promise<NeedsPage>;
  escalations(params: Requests['signalbox/escalation/list']['params']): Promise<EscalationPage>;
  tasks(params: Requests['signalbox/task/list']['params']): Promise<TasksPage>;
  /** How many tasks there are in all. */
  taskCount(): Promise<number>;
}

/** So many rows are fetched at first, and so many more each time. */
const step = 50;

/** No revision is as small. */
const none = -1;

/** The lists of the tree. Callers wait for one call before the next. */
export class NeedsModel {
  readonly #lists: NeedLists;
  #answered: Pages<EscalationItem, EscalationPage>;
  #tasks: Pages<TaskItem, TasksPage>;
  /** The open folders, which a reload fetches too. */
  readonly #shown = new Set<Folder>();
  #page: NeedsPage | undefined;
  #limit = step;
  #turn = 0;
  /** Counts the answered and rejected messages, and holds the latter. */
  #counts: EscalationPage | undefined;
  #taskCount = 0;

  constructor(lists: NeedLists) {
    this.#lists = lists;
    this.#answered = this.#allAnswered();
    this.#tasks = this.#allTasks();
  }

  /** What needs the user, as far as it was fetched; none before the first fetch. */
  get items(): readonly NeedItem[] {
    return this.#page?.items ?? [];
  }

  /** Whether anything was fetched. */
  get loaded(): boolean {
    return this.#page !== undefined;
  }

  /** The revision of the rows; less than any before the first fetch, and for a server that is gone. */
  get revision(): number {
    return this.#page?.revision ?? none;
  }

  get warnings(): readonly Warning[] {
    return this.#page?.warnings ?? [];
  }

  /** The rows of what needs the user; none until the first fetch. */
  get roots(): readonly NeedNode[] {
    if (this.#page === undefined) return [];
    const { items, total, unsure = 0 } = this.#page;
    return [
      ...items.flatMap(nodesOf),
      ...more('needs', items.length < total && this.#limit < Limit.page),
      ...(unsure > 0 ? [unansweredFolder(unsure)] : []),
    ];
  }

  /** The rows of the threads that perhaps need no reply. */
  get unanswered(): readonly NeedNode[] {
    return (this.#page?.unanswered ?? []).map((thread) => ({ kind: 'reply', thread, urgent: false }));
  }

  /** Returns the folder of a row, or undefined. */
  parentOf(node: NeedNode): NeedNode | undefined {
    const inside = node.kind === 'reply' && node.thread.unsure === true;
    return inside ? unansweredFolder(this.#page?.unsure ?? 0) : undefined;
  }

  /** The folders that hold something. */
  get folders(): readonly NeedNode[] {
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
  async rowsOf(folder: Folder): Promise<readonly NeedNode[]> {
    this.#shown.add(folder);
    switch (folder) {
      case 'unanswered':
        return this.unanswered;
      case 'rejected':
        return (this.#counts?.rejected ?? []).map((rejected) => ({ kind: 'rejected', rejected }));
      case 'answered':
        await this.#answered.open();
        return [
          ...this.#answered.items.map((escalation): NeedNode => ({ kind: 'escalation', escalation })),
          ...more('answered', this.#answered.hasMore),
        ];
      case 'tasks':
        await this.#tasks.open();
        return [
          ...this.#tasks.items.map((task): NeedNode => ({ kind: 'task', task })),
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

  /** Fetches what needs the user. Returns the page, or undefined if a later call overtook this one. */
  async reload(): Promise<NeedsPage | undefined> {
    const turn = ++this.#turn;
    const page = await this.#lists.needs({ limit: this.#limit });
    if (turn !== this.#turn) return undefined;
    this.#page = page;
    return page;
  }

  /** Fetches the folders that are shown, and how much is in the others. */
  async reloadFolders(): Promise<void> {
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

  async more(list: PagedList): Promise<void> {
    if (list === 'needs') {
      this.#limit = Math.min(Limit.page, this.#limit + step);
      await this.reload();
    } else await (list === 'answered' ? this.#answered : this.#tasks).more();
  }

  /** Forgets what a server said that is gone: the next one counts its revisions from the beginning. */
  forgetRevision(): void {
    this.#turn++;
    if (this.#page !== undefined) this.#page = { ...this.#page, revision: none };
  }

  /** Everything that is shown, to compare before a redraw. */
  get content(): unknown {
    return [
      this.#page?.items,
      this.#page?.total,
      this.#page?.unanswered,
      this.#page?.unsure,
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

/** Returns the row of something that needs the user; none of a kind that this version does not know. */
export function nodesOf(item: NeedItem): readonly NeedNode[] {
  const { urgent, question, reply, agent, request, thread, escalation, overdue } = item;
  if (question !== undefined) return [{ kind: 'question', question, thread: question.thread }];
  if (reply !== undefined) return [{ kind: 'reply', thread: reply, urgent }];
  if (agent !== undefined)
    return [{ kind: 'agent', agent, urgent, ...(request === undefined ? {} : { request }) }];
  if (thread !== undefined) return [{ kind: 'stuck', thread, urgent }];
  if (escalation !== undefined) return [{ kind: 'escalation', escalation }];
  return overdue === undefined ? [] : [{ kind: 'overdue', overdue }];
}

function unansweredFolder(count: number): NeedNode {
  return { kind: 'folder', folder: 'unanswered', count };
}

function more(list: PagedList, has: boolean): readonly NeedNode[] {
  return has ? [{ kind: 'more', list }] : [];
}

/** Returns how many tasks all directories hold. */
export function taskCount(status: Status): number {
  return status.ssots.reduce((sum, { tasks }) => sum + tasks, 0);
}

/** Returns the number on the badge of "Needs You", or undefined for none. */
export function needsBadge(needs: number, setting: string): number | undefined {
  return setting === 'needsYou' && needs > 0 ? needs : undefined;
}

/**
 * Reports whether something alarms until the user has seen it: an urgent question or mail,
 * or a critical escalation. An agent that waits for permission does so many times an hour.
 */
export function alarms({ urgent, kind }: NeedItem): boolean {
  return urgent && kind !== 'agent';
}

/** Reports whether an agent can be nudged: it has unread mail, and a line typed into its terminal reaches it. */
export function canNudge({ reach, unread }: AgentItem, terminal: object | undefined): boolean {
  return terminal !== undefined && reach === 'type' && unread > 0;
}
