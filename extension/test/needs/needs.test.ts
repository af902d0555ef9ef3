import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { agentsWords, agentWords, fullName } from '../../src/needs/agentWords';
import { needAt, optionLabels, suggestionLabels, suggestionWords } from '../../src/needs/answers';
import {
  alarms,
  canNudge,
  keyOf,
  needsBadge,
  NeedsModel,
  taskCount,
  type NeedLists,
  type NeedNode,
} from '../../src/needs/model';
import { fill } from '../../src/fill';
import type { EscalationItem, EscalationPage, NeedItem, NeedsPage, ThreadItem } from '../../src/protocol';
import { whyReadOnly } from '../../src/task/model';
import { agent, need, needsPage, question } from '../needSamples';
import { message, status, thread } from '../samples';
import { escalation, escalationPage, overdue, rejected, ssot, task, tasksPage } from '../taskSamples';

/** A server with so much of each kind; answered escalations come in pages of two. */
class Lists implements NeedLists {
  items: NeedItem[] = [];
  unanswered: ThreadItem[] = [];
  answered: EscalationItem[] = [];
  page: Partial<EscalationPage> = {};
  asked: string[] = [];
  tasksHeld = 3;

  needs({ limit = 50 }: { limit?: number }): Promise<NeedsPage> {
    this.asked.push(`needs ${limit}`);
    const { unanswered } = this;
    return Promise.resolve(
      needsPage(this.items.slice(0, limit), {
        total: this.items.length,
        unanswered,
        unsure: unanswered.length,
      }),
    );
  }

  escalations(params: { open?: boolean; cursor?: string; limit?: number }): Promise<EscalationPage> {
    this.asked.push(params.limit === 1 ? 'counts' : 'answered');
    assert.equal(params.open, false);
    const start = Number(params.cursor ?? 0);
    const next = start + 2 < this.answered.length ? { nextCursor: String(start + 2) } : {};
    const counts = {
      critical: 0,
      warning: 0,
      info: 0,
      answered: this.answered.length,
      overdue: 0,
      rejected: 0,
    };
    return Promise.resolve(
      escalationPage({ items: this.answered.slice(start, start + 2), counts, ...next, ...this.page }),
    );
  }

  tasks(): Promise<ReturnType<typeof tasksPage>> {
    this.asked.push('tasks');
    return Promise.resolve(tasksPage([task('T-2026-001'), task('T-2026-002')]));
  }

  taskCount(): Promise<number> {
    return Promise.resolve(this.tasksHeld);
  }
}

const names = (rows: readonly NeedNode[]): string[] =>
  rows.map((row) => {
    switch (row.kind) {
      case 'question':
        return row.question.text;
      case 'reply':
      case 'stuck':
        return row.thread.title;
      case 'agent':
        return row.agent.key;
      case 'escalation':
        return row.escalation.id;
      case 'folder':
        return `${row.folder} ${row.count}`;
      case 'more':
        return `more ${row.list}`;
      case 'away':
        return row.words;
      case 'overdue':
        return row.overdue.kind;
      case 'rejected':
        return row.rejected.source;
      case 'task':
        return row.task.id;
    }
  });

async function loaded(lists: Lists): Promise<NeedsModel> {
  const model = new NeedsModel(lists);
  assert.ok((await model.reload()) !== undefined);
  await model.reloadFolders();
  return model;
}

describe('NeedsModel', () => {
  it('has no rows before anything was fetched', () => {
    const model = new NeedsModel(new Lists());
    assert.deepEqual(model.roots, []);
    assert.ok(!model.loaded);
  });

  it("keeps the server's order, and has folders for what there is", async () => {
    const lists = new Lists();
    lists.items = [
      need({ escalation: escalation('z'), urgent: true }),
      need({ question: question('q') }),
      need({ reply: thread('t') }),
      need({ agent: agent('session') }),
      need({ overdue: overdue('ack_timeout') }),
    ];
    lists.answered = [escalation('old', { open: false })];
    lists.page = {
      counts: { critical: 1, warning: 0, info: 0, answered: 1, overdue: 1, rejected: 2 },
      rejected: [rejected()],
    };
    const model = await loaded(lists);
    const rows = ['z', 'Which licence?', thread('t').title, 'session', 'ack_timeout'];
    assert.deepEqual(names(model.roots), rows);
    assert.deepEqual(names(model.folders), ['rejected 2', 'answered 1', 'tasks 3']);
    assert.equal(new Set(model.roots.map(keyOf)).size, rows.length);
    assert.deepEqual(names(await model.rowsOf('rejected')), ['messages/x.json']);
    assert.deepEqual(names(await model.rowsOf('tasks')), ['T-2026-001', 'T-2026-002']);
  });

  it('folds the threads that perhaps need no reply, below all others', async () => {
    const lists = new Lists();
    lists.items = [need({ question: question('q') })];
    lists.unanswered = [thread('t', { unsure: true })];
    const model = await loaded(lists);
    assert.deepEqual(names(model.roots), ['Which licence?', 'unanswered 1']);
    assert.deepEqual(names(await model.rowsOf('unanswered')), [thread('t').title]);
    const [row] = model.unanswered;
    assert.ok(row !== undefined);
    assert.deepEqual(names([model.parentOf(row)].filter((parent) => parent !== undefined)), ['unanswered 1']);
    assert.equal(model.parentOf({ kind: 'reply', thread: thread('other'), urgent: false }), undefined);
  });

  it('leaves out folders with nothing in them, and what it does not know', async () => {
    const lists = new Lists();
    lists.tasksHeld = 0;
    lists.items = [{ kind: 'question', urgent: false, time: 0 }];
    const model = await loaded(lists);
    assert.deepEqual([...model.roots, ...model.folders], []);
  });

  it('fetches answered ones in pages', async () => {
    const lists = new Lists();
    lists.answered = ['x', 'y', 'z'].map((id) => escalation(id, { open: false }));
    const model = await loaded(lists);
    // One reload fetches as much as fits a page of the view, whatever the server's pages are.
    assert.deepEqual(names(await model.rowsOf('answered')), ['x', 'y', 'z']);
  });

  it('says that there is more, and fetches it up to the limit of a page', async () => {
    const lists = new Lists();
    lists.items = Array.from({ length: 250 }, (_, at) => need({ agent: agent(`s${at}`) }));
    const model = await loaded(lists);
    assert.equal(model.items.length, 50);
    assert.ok(names(model.roots).includes('more needs'));
    for (let turn = 0; turn < 5; turn++) await model.more('needs');
    assert.equal(model.items.length, 200);
    assert.ok(!names(model.roots).includes('more needs'));
    assert.equal(lists.asked.at(-1), 'needs 200');
  });

  it('fetches the folders that are open again, and no others', async () => {
    const lists = new Lists();
    lists.answered = [escalation('old', { open: false })];
    const model = await loaded(lists);
    assert.deepEqual(lists.asked, ['needs 50', 'counts']);
    await model.rowsOf('answered');
    await model.rowsOf('tasks');
    model.close('tasks');
    lists.asked = [];
    await model.reloadFolders();
    assert.deepEqual(lists.asked, ['answered']);
  });

  it('drops an answer that a later one, or another server, overtook', async () => {
    const model = new NeedsModel(new Lists());
    const [first, second] = await Promise.all([model.reload(), model.reload()]);
    assert.equal(first, undefined);
    assert.ok(second !== undefined);
    const late = model.reload();
    model.forgetRevision();
    assert.equal(await late, undefined);
    assert.ok(model.revision < 0);
  });
});

describe('the badge of the tree', () => {
  it('counts what needs the user', () => assert.equal(needsBadge(3, 'needsYou'), 3));
  it('is none for nothing, and where something else is counted', () => {
    assert.equal(needsBadge(0, 'needsYou'), undefined);
    assert.equal(needsBadge(2, 'unread'), undefined);
    assert.equal(needsBadge(2, 'off'), undefined);
  });
});

describe('alarms', () => {
  for (const [name, given, want] of [
    ['an urgent question', need({ question: question('q'), urgent: true }), true],
    ['a question', need({ question: question('q') }), false],
    ['a critical escalation', need({ escalation: escalation('e'), urgent: true }), true],
    ['one that is acknowledged', need({ escalation: escalation('e', { acked: 5 }) }), false],
    ['an agent that waits', need({ agent: agent('s', { state: 'waiting' }), urgent: true }), false],
    ['what is overdue', need({ overdue: overdue('ack_timeout') }), false],
  ] as const) {
    it(name, () => assert.equal(alarms(given), want));
  }
});

describe('what an agent does', () => {
  const t = (text: string, ...values: string[]): string => fill(text, ...values);
  for (const [change, want] of [
    [{ state: 'working' }, 'coder works'],
    [{ state: 'waiting' }, 'coder waits'],
    [{ state: 'waiting', for: 'Bash' }, 'coder waits: Bash'],
    [{ state: 'idle' }, 'coder is idle'],
    [{ state: 'idle', unread: 2 }, 'coder is idle, 2 unread'],
    [{ state: 'ended' }, 'coder has ended'],
  ] as const) {
    it(want, () => assert.equal(agentWords(t, agent('s', change), 'coder'), want));
  }
  it('says what the first does, and how many more there are', () => {
    const waiting = agent('a', { state: 'waiting', for: 'Bash', client: 'codex' });
    assert.equal(agentsWords(t, []), '');
    assert.equal(agentsWords(t, [waiting]), 'codex waits: Bash');
    assert.equal(agentsWords(t, [waiting, agent('b')]), 'codex waits: Bash and 1 more');
  });
  it('names the agent and its program once', () => {
    assert.equal(fullName(agent('a')), 'coder (claude)');
    assert.equal(fullName(agent('a', { alias: '' })), 'claude');
    assert.equal(fullName(agent('a', { alias: 'claude' })), 'claude');
  });
  it('lets only one with unread mail be nudged, which a line in its terminal reaches', () => {
    const idle = agent('a', { unread: 1, reach: 'type' });
    assert.ok(canNudge(idle, {}));
    assert.ok(!canNudge(idle, undefined));
    assert.ok(!canNudge(agent('a', { reach: 'type' }), {}));
    assert.ok(!canNudge(agent('a', { unread: 1 }), {}));
    for (const reach of ['send', 'wake', 'wait', 'continue'] as const)
      assert.ok(!canNudge(agent('a', { reach, unread: 1 }), {}), reach);
  });
});

describe('what a status says', () => {
  it('how many tasks there are', () =>
    assert.equal(taskCount(status({ ssots: [ssot({ tasks: 2 }), ssot({ tasks: 5 })] })), 7));
  const { ref } = escalation('e');
  for (const [name, value, want] of [
    ['a server that does not run', undefined, 'stopped'],
    ['no trust', status({ readOnly: true, ssots: [ssot()] }), 'untrusted'],
    ['a directory without the right to write', status({ ssots: [ssot({ writable: false })] }), 'notWritable'],
    ['an unknown directory', status(), 'notWritable'],
    ['nothing', status({ ssots: [ssot()] }), undefined],
  ] as const) {
    it(`what stands against writing: ${name}`, () => assert.equal(whyReadOnly(value, ref), want));
  }
});

describe('answers that can be given at once', () => {
  const actions = { approve: 'Approve', redirect: 'Redirect', split: 'Split', terminate: 'Terminate' };
  const suggested = [
    { action: 'approve', text: '$(bell) [go](command:x) on' },
    { action: 'split', text: 'x'.repeat(60) },
    { action: 'terminate', text: 'stop' },
    { action: 'redirect', text: 'elsewhere' },
  ] as const;

  it('are few, short, and different from each other', () => {
    assert.deepEqual(optionLabels({ options: ['Yes', 'No'] }), ['Yes', 'No']);
    assert.deepEqual(optionLabels({}), []);
    assert.deepEqual(optionLabels({ options: ['a', 'b', 'c', 'd'] }), []);
    assert.deepEqual(optionLabels({ options: [`${'a'.repeat(50)}b`, `${'a'.repeat(50)}c`] }), []);
  });
  it('of an escalation are its first suggestions, while it is open', () => {
    assert.deepEqual(suggestionLabels({ open: true, suggested }, actions), [
      'Approve: $ (bell) [go] (command:x) on',
      `Split: ${'x'.repeat(32)}…`,
      'Terminate: stop',
    ]);
    assert.deepEqual(suggestionLabels({ open: false, suggested }, actions), []);
    assert.deepEqual(suggestionLabels({ open: true, malformed: true, suggested }, actions), []);
  });
  it('are one word in a notification, where the decisions differ', () => {
    assert.deepEqual(suggestionWords({ open: true, suggested }, actions), ['Approve', 'Split', 'Terminate']);
    const [, split, stop] = suggested;
    const twice = [stop, split, { action: 'terminate', text: 'stop at once' }] as const;
    assert.deepEqual(suggestionWords({ open: true, suggested: twice }, actions)[0], 'Terminate: stop');
    assert.deepEqual(suggestionWords({ open: false, suggested }, actions), []);
  });
  it('are found by the message, or by the thread that waits', () => {
    const asked = question('a');
    const items = [need({ question: question('b') }), need({ question: asked })];
    assert.equal(needAt(items, asked.thread.ref, asked.message).question, asked);
    assert.equal(needAt(items, asked.thread.ref, undefined).question, asked);
    assert.deepEqual(needAt(items, asked.thread.ref, message('c', 0).ref), {});
  });
});
