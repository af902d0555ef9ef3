import { documentKindsOf } from '../../src/server/negotiation';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mayBe, needed, SyncedDocuments } from '../../src/server/documentKinds';
import {
  alarmCount,
  EscalationsModel,
  taskCount,
  tasksWelcome,
  whyReadOnly,
  type EscalationNode,
  type TaskLists,
} from '../../src/task/escalationsModel';
import { type EscalationItem, type EscalationPage } from '../../src/protocol';
import { status } from '../samples';
import { escalation, escalationPage, overdue, rejected, ssot, task, tasksPage } from '../taskSamples';

/** A server with so many escalations of each kind, in pages of two. */
class Lists implements TaskLists {
  open: EscalationItem[] = [];
  answered: EscalationItem[] = [];
  page: Partial<EscalationPage> = {};
  asked: string[] = [];
  tasksHeld = 3;

  escalations(params: { open?: boolean; cursor?: string }): Promise<EscalationPage> {
    this.asked.push(params.open === true ? 'open' : 'answered');
    const all = params.open === true ? this.open : this.answered;
    const start = Number(params.cursor ?? 0);
    const next = start + 2 < all.length ? { nextCursor: String(start + 2) } : {};
    const counts = {
      critical: 0,
      warning: 0,
      info: 0,
      answered: this.answered.length,
      overdue: 0,
      rejected: 0,
    };
    return Promise.resolve(
      escalationPage({ items: all.slice(start, start + 2), counts, ...next, ...this.page }),
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

const names = (rows: readonly EscalationNode[]): string[] =>
  rows.map((row) => {
    switch (row.kind) {
      case 'escalation':
        return row.escalation.id;
      case 'folder':
        return `${row.folder} ${row.count}`;
      case 'more':
        return `more ${row.list}`;
      case 'overdue':
        return row.overdue.kind;
      case 'rejected':
        return row.rejected.source;
      case 'task':
        return row.task.id;
    }
  });

describe('EscalationsModel', () => {
  it('has no rows before anything was fetched', () =>
    assert.deepEqual(new EscalationsModel(new Lists()).roots, []));

  it("keeps the server's order, with folders for what there is", async () => {
    const lists = new Lists();
    lists.open = [escalation('z'), escalation('a', { severity: 'warning' })];
    lists.answered = [escalation('old', { open: false })];
    lists.page = {
      counts: { critical: 1, warning: 1, info: 0, answered: 1, overdue: 1, rejected: 2 },
      overdue: [overdue('ack_timeout')],
      rejected: [rejected()],
    };
    const model = new EscalationsModel(lists);
    assert.ok(await model.reload());
    assert.deepEqual(names(model.roots), ['z', 'a', 'overdue 1', 'rejected 2', 'answered 1', 'tasks 3']);
    assert.deepEqual(names(await model.rowsOf('overdue')), ['ack_timeout']);
    assert.deepEqual(names(await model.rowsOf('rejected')), ['messages/x.json']);
    assert.deepEqual(names(await model.rowsOf('tasks')), ['T-2026-001', 'T-2026-002']);
  });

  it('leaves out folders with nothing in them', async () => {
    const lists = new Lists();
    lists.tasksHeld = 0;
    const model = new EscalationsModel(lists);
    await model.reload();
    assert.deepEqual(model.roots, []);
  });

  it('fetches open and answered ones in pages', async () => {
    const lists = new Lists();
    lists.open = ['a', 'b', 'c'].map((id) => escalation(id));
    lists.answered = ['x', 'y', 'z'].map((id) => escalation(id, { open: false }));
    const model = new EscalationsModel(lists);
    await model.reload();
    // One reload fetches as much as fits a page of the view, whatever the server's pages are.
    assert.deepEqual(names(model.roots).slice(0, 3), ['a', 'b', 'c']);
    assert.deepEqual(names(await model.rowsOf('answered')), ['x', 'y', 'z']);
  });

  it('says that there is more, and fetches it', async () => {
    const lists = new Lists();
    const many = Array.from({ length: 60 }, (_, index) => escalation(`e${index}`));
    lists.open = many;
    const model = new EscalationsModel(lists);
    await model.reload();
    assert.ok(names(model.roots).includes('more open'));
    for (let turn = 0; turn < 5; turn++) await model.more('open');
    assert.equal(model.open.length, 60);
    assert.ok(!names(model.roots).includes('more open'));
  });

  it('fetches the folders that are open again, and no others', async () => {
    const lists = new Lists();
    lists.answered = [escalation('old', { open: false })];
    const model = new EscalationsModel(lists);
    await model.reload();
    assert.deepEqual(lists.asked, ['open']);
    await model.rowsOf('answered');
    await model.rowsOf('tasks');
    model.close('tasks');
    lists.asked = [];
    await model.reload();
    assert.deepEqual(lists.asked.sort(), ['answered', 'open']);
  });

  it('drops an answer that a later one overtook', async () => {
    const lists = new Lists();
    const model = new EscalationsModel(lists);
    const [first, second] = await Promise.all([model.reload(), model.reload()]);
    assert.ok(!first);
    assert.ok(second);
  });
});

describe('the badge of the tree', () => {
  it('counts what is critical and what is overdue', () => {
    assert.equal(alarmCount({ critical: 2, overdue: 1 }, 'needsReply'), 3);
    assert.equal(alarmCount({ critical: 2, overdue: 1 }, 'unread'), 3);
  });
  it('is none for nothing, and where it is turned off', () => {
    assert.equal(alarmCount({ critical: 0, overdue: 0 }, 'needsReply'), undefined);
    assert.equal(alarmCount({ critical: 2, overdue: 1 }, 'off'), undefined);
  });
});

describe('what a status says', () => {
  it('how many tasks there are', () =>
    assert.equal(taskCount(status({ ssots: [ssot({ tasks: 2 }), ssot({ tasks: 5 })] })), 7));
  it('whether there is a directory', () => {
    assert.equal(tasksWelcome(status()), 'noSsot');
    assert.equal(tasksWelcome(status({ ssots: [ssot({ exists: false })] })), 'noSsot');
    assert.equal(tasksWelcome(status({ ssots: [ssot()] })), 'nothing');
  });
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

describe('mayBe', () => {
  const maxBytes = 1024;
  const kind = {
    pattern: '**/*.json',
    maxBytes,
    marks: [
      ['"protocol_version"', '"AMP/'],
      ['"format"', '"signalbox-resume/'],
    ],
  };
  const envelope = '{"protocol_version": "AMP/1.0"}';
  for (const [name, text, want] of [
    ['an envelope', envelope, true],
    ['another version, which is worth a word', '{"protocol_version":"AMP/2.0"}', true],
    ['an answer', '{"format": "signalbox-resume/1"}', true],
    ['a record of something else', '{"format": "signalbox-draft/1"}', false],
    ['other JSON', '{"name": "x"}', false],
    ['the version of another protocol', '{"protocol_version": "2025-01-01"}', false],
    ['the words without the member', '{"text": "AMP/1.0"}', false],
    ['nothing', '', false],
    ['the longest there may be', envelope.padEnd(maxBytes), true],
    ['a longer one', envelope.padEnd(maxBytes + 1), false],
    ['one whose bytes are more than its letters', envelope + 'ü'.repeat(maxBytes / 2), false],
  ] as const) {
    it(name, () => assert.equal(mayBe(kind, text), want));
  }
  it('needs no marks where the path says enough', () => {
    assert.equal(mayBe({ ...kind, marks: [] }, 'x'), true);
    const log = { pattern: '**/log-*.jsonl', maxBytes: 100, marks: [['"from"']], within: 10 };
    assert.equal(mayBe(log, '{"from": 1}'), true);
    assert.equal(mayBe(log, '          {"from": 1}'), false, 'a mark too far behind');
    assert.deepEqual(
      [needed(log, 5), needed(log, 50), needed({ ...log, marks: [] }, 50), needed(kind, 50)],
      [5, 10, 0, 50],
    );
    assert.equal(mayBe({ ...kind, marks: [] }, 'x'.repeat(maxBytes + 1)), false);
  });
  it('are those that the server names in its answer', () => {
    const versions = { min: 1, max: 1 };
    assert.deepEqual(documentKindsOf({ signalbox: { ...versions, documents: [kind] } }), [kind]);
    const odd = { signalbox: { ...versions, documents: { length: 1 } } };
    const none = [undefined, null, {}, { signalbox: null }, { signalbox: {} }, { signalbox: versions }, odd];
    for (const answer of none) assert.deepEqual(documentKindsOf(answer), []);
  });
});

describe('SyncedDocuments', () => {
  it('hears of nothing that does not concern the server', () => {
    const synced = new SyncedDocuments();
    assert.equal(synced.opened('a', false), false);
    assert.equal(synced.changed('a', false), 'nothing');
    assert.equal(synced.closed('a'), false);
  });
  it('follows a document from opening to closing', () => {
    const synced = new SyncedDocuments();
    assert.equal(synced.opened('a', true), true);
    assert.equal(synced.changed('a', true), 'change');
    assert.ok(synced.has('a'));
    assert.equal(synced.closed('a'), true);
    assert.equal(synced.closed('a'), false);
  });
  it('opens what becomes an envelope, closes what stops being one', () => {
    const synced = new SyncedDocuments();
    synced.opened('a', false);
    assert.equal(synced.changed('a', true), 'open');
    assert.equal(synced.changed('a', true), 'change');
    assert.equal(synced.changed('a', false), 'close');
    assert.equal(synced.changed('a', false), 'nothing');
    assert.equal(synced.changed('a', true), 'open');
  });
});
