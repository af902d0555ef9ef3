// Values of the protocol around tasks for tests, complete and changeable.

import type {
  EscalationItem,
  EscalationPage,
  IssueItem,
  Overdue,
  Ref,
  RejectedItem,
  SSOT,
  TaskEvent,
  TaskItem,
  TaskPage,
  TasksPage,
} from '../src/protocol';

export function agn(id: string): Ref {
  return { protocol: 'agn', store: 'ssot', id };
}

export function task(id: string, change: Partial<TaskItem> = {}): TaskItem {
  return {
    ref: agn(`t/${id}`),
    id,
    title: 'Split the parser',
    phase: 'in work',
    state: 'in work',
    repo: '/repo',
    branch: 'feature/x',
    risk: 'low',
    rejects: 0,
    rejectLimit: 3,
    lockNear: false,
    lock: '',
    suspended: [],
    nextWho: 'executor',
    nextDo: 'report a result',
    overdue: 0,
    open: 0,
    silent: false,
    stopped: false,
    messages: 1,
    lastTime: 0,
    ...change,
  };
}

export function escalation(id: string, change: Partial<EscalationItem> = {}): EscalationItem {
  return {
    ref: agn(`m/T-2026-001/${id}`),
    id,
    task: task('T-2026-001'),
    kind: 'hallucination_lock',
    label: 'Stopped after 3 rejections',
    severity: 'critical',
    from: 'coordinator',
    triggeredBy: 'coordinator',
    time: 0,
    title: 'Locked',
    html: '<p>Locked</p>',
    text: 'Locked',
    open: true,
    acked: 0,
    late: false,
    suspended: ['coordinator', 'executor'],
    affected: [],
    snapshot: { status: 'locked', rejectCount: 3 },
    suggested: [],
    warnings: [],
    ...change,
  };
}

export function overdue(kind: string, change: Partial<Overdue> = {}): Overdue {
  return {
    ref: agn('m/T-2026-001/d'),
    task: agn('t/T-2026-001'),
    taskId: 'T-2026-001',
    title: 'Write the notes',
    kind,
    label: kind,
    who: 'executor',
    since: 0,
    text: '',
    ...change,
  };
}

export function rejected(change: Partial<RejectedItem> = {}): RejectedItem {
  return {
    source: 'messages/x.json',
    path: '/ssot/messages/x.json',
    store: 'ssot',
    id: 'x',
    taskId: 'T-2026-001',
    time: 0,
    logged: true,
    faults: [{ rule: 'D3', field: 'payload.branch', reason: 'it is main' }],
    ...change,
  };
}

export function escalationPage(change: Partial<EscalationPage> = {}): EscalationPage {
  return {
    items: [],
    counts: { critical: 0, warning: 0, info: 0, answered: 0, overdue: 0, rejected: 0 },
    overdue: [],
    rejected: [],
    revision: 1,
    warnings: [],
    ...change,
  };
}

export function tasksPage(tasks: readonly TaskItem[], change: Partial<TasksPage> = {}): TasksPage {
  return { tasks, revision: 1, warnings: [], ...change };
}

export function event(id: string, time: number, change: Partial<TaskEvent> = {}): TaskEvent {
  return {
    kind: 'message',
    ref: agn(`m/T-2026-001/${id}`),
    id,
    type: 'task_dispatch',
    from: 'coordinator',
    to: 'executor',
    time,
    title: 'dispatch',
    points: [],
    tone: '',
    ack: { state: 'none' },
    html: '',
    text: '',
    path: `/ssot/${id}.json`,
    warnings: [],
    ...change,
  };
}

export function taskPage(timeline: readonly TaskEvent[], change: Partial<TaskPage> = {}): TaskPage {
  return {
    task: task('T-2026-001'),
    timeline,
    text: timeline.map(({ id }) => id).join('\n'),
    rejected: [],
    warnings: [],
    revision: 1,
    ...change,
  };
}

export function ssot(change: Partial<SSOT> = {}): SSOT {
  return {
    path: '/ssot',
    origin: 'setting signalbox.tasks.directory',
    store: 'ssot',
    own: true,
    exists: true,
    writable: true,
    watching: 'notify',
    watchdog: false,
    tasks: 0,
    messages: 0,
    rejected: 0,
    ...change,
  };
}

export function issue(index: number, change: Partial<IssueItem> = {}): IssueItem {
  return {
    ref: agn('m/T-2026-001/v'),
    task: agn('t/T-2026-001'),
    taskId: 'T-2026-001',
    index,
    path: '/repo/a.go',
    line: 3,
    severity: 'critical',
    blocking: true,
    time: 0,
    markdown: 'no reference is held',
    text: 'no reference is held',
    ...change,
  };
}
