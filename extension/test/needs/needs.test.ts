import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { agentWords, doingWords, fullName, programName } from '../../src/agent/agentWords';
import { needAt, optionLabels, suggestionLabels, suggestionWords } from '../../src/needs/answers';
import { isAlarm, canAsk, canNudge, keyOf, NeedsModel, threadOf } from '../../src/needs/model';
import { fill } from '../../src/fill';
import type { NeedItem, NeedsPage } from '../../src/protocol';
import { whyReadOnly } from '../../src/task/model';
import { agent, need, needsPage, question } from '../needSamples';
import { directory, message, status, thread } from '../samples';
import { escalation, overdue, ssot } from '../taskSamples';

const page = (items: readonly NeedItem[], change: Partial<NeedsPage> = {}): Promise<NeedsPage> =>
  Promise.resolve(needsPage(items, change));

describe('NeedsModel', () => {
  it('has nothing before anything was fetched', () => {
    const model = new NeedsModel(() => page([]));
    assert.deepEqual(model.all, []);
    assert.deepEqual(model.counts, { blocked: 0, questions: 0, unanswered: 0 });
    assert.ok(!model.loaded);
  });

  it("keeps the server's order and counts, with what is merely unanswered at the end", async () => {
    const items = [
      need({ escalation: escalation('z'), urgent: true }),
      need({ question: question('q') }),
      need({ agent: agent('session') }),
      need({ overdue: overdue('ack_timeout') }),
    ];
    const unanswered = [need({ reply: thread('t') })];
    const asked: unknown[] = [];
    const model = new NeedsModel((params) => {
      asked.push(params);
      return page(items, { unanswered, blocked: 3, questions: 1, unansweredTotal: 9 });
    });
    assert.ok((await model.reload()) !== undefined);
    assert.deepEqual(asked, [{ limit: 500 }]);
    assert.deepEqual(model.items, items);
    assert.deepEqual(model.all, [...items, ...unanswered]);
    assert.deepEqual(model.counts, { blocked: 3, questions: 1, unanswered: 9 });
    assert.equal(new Set(model.all.map(keyOf)).size, 5);
    for (const item of model.all) assert.equal(model.itemOf(keyOf(item)), item);
    assert.deepEqual(
      model.all.map((item) => threadOf(item)?.ref),
      [undefined, thread('q').ref, undefined, undefined, thread('t').ref],
    );
  });

  it('drops an answer that a later one, or another server, overtook', async () => {
    const model = new NeedsModel(() => page([]));
    const [first, second] = await Promise.all([model.reload(), model.reload()]);
    assert.equal(first, undefined);
    assert.ok(second !== undefined);
    const late = model.reload();
    model.forgetRevision();
    assert.equal(await late, undefined);
    assert.ok(model.revision < 0);
  });
});

describe('isAlarm', () => {
  for (const [name, given, want] of [
    ['an urgent question', need({ question: question('q'), urgent: true }), true],
    ['a question', need({ question: question('q') }), false],
    ['a critical escalation', need({ escalation: escalation('e'), urgent: true }), true],
    ['one that is acknowledged', need({ escalation: escalation('e', { acked: 5 }) }), false],
    ['an agent that waits', need({ agent: agent('s', { state: 'waiting' }), urgent: true }), false],
    ['what is overdue', need({ overdue: overdue('ack_timeout') }), false],
  ] as const) {
    it(name, () => assert.equal(isAlarm(given), want));
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
    [{ state: 'none' }, 'No agent'],
  ] as const) {
    it(want, () => assert.equal(agentWords(t, agent('s', change), 'coder'), want));
  }
  it('says in one line who works and who does nothing', () => {
    const all = [
      agent('a', { state: 'working', alias: 'coder' }),
      agent('b', { state: 'working', alias: 'docs' }),
      agent('c', { state: 'idle', alias: 'planner' }),
      agent('d', { state: 'ended', alias: 'old' }),
    ];
    assert.equal(doingWords(t, all), 'coder, docs work · planner idle');
    assert.equal(doingWords(t, all.slice(0, 1)), 'coder works');
    assert.equal(doingWords(t, []), '');
    assert.deepEqual(['claude', 'else'].map(programName), ['Claude Code', 'else']);
  });
  it('names the agent and its program once', () => {
    assert.equal(fullName(agent('a')), 'coder (Claude Code)');
    assert.equal(fullName(agent('a', { alias: '' })), 'Claude Code');
    assert.equal(fullName(agent('a', { alias: 'claude' })), 'claude');
  });
  it('lets only one with unread mail be nudged, which a line in its terminal reaches', () => {
    const idle = agent('a', { unread: 1, reach: 'type' });
    assert.ok(canNudge(idle, true));
    assert.ok(!canNudge(idle, false));
    assert.ok(!canNudge(agent('a', { reach: 'type' }), true));
    assert.ok(!canNudge(agent('a', { unread: 1 }), true));
    for (const reach of ['send', 'wake', 'wait', 'continue'] as const)
      assert.ok(!canNudge(agent('a', { reach, unread: 1 }), true), reach);
  });
});

describe('what stands against writing', () => {
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

describe('agents can ask', () => {
  const none = status({ directories: [] });
  for (const [name, given, want] of [
    ['nowhere before Set Up', none, false],
    ['nor in a directory that is not there', status({ directories: [directory({ exists: false })] }), false],
    ['once it was done, before any has run', { ...none, person: 'ann' }, true],
    ['where there is mail', status({ directories: [directory({ exists: true })] }), true],
    ['where there are tasks', { ...none, ssots: [ssot()] }, true],
  ] as const)
    it(name, () => assert.equal(canAsk(given), want));
});
