// The models around tasks: the tree, the timeline, answers, notifications, comments,
// and which documents are sent to the server.

import { refKey } from '../../src/refs';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newsIn, readNotified, remember } from '../../src/needs/alarms';
import { noticeText } from '../../src/strangers';
import { attemptWith } from '../../src/compose/draft';
import { fill, join } from '../../src/fill';
import { diffIssues } from '../../src/task/issueModel';
import {
  answerable,
  hasContent,
  eventOf,
  firstTaskPage,
  noAnswer,
  overdueIn,
  prefill,
  withNewestEvents,
  withOlderEvents,
  type TaskState,
} from '../../src/task/model';
import { arrowOf, lanesOf, strokeOf } from '../../src/task/timeline';
import { agent, need, question } from '../needSamples';
import { agn, escalation, escalationPage, event, issue, overdue, taskPage } from '../taskSamples';

const ids = (state: TaskState): string[] => state.timeline.map(({ id }) => id);

describe('TaskState', () => {
  const start = firstTaskPage(taskPage([event('c', 3), event('d', 4)], { before: 'c' }));

  it('puts older pages first, each step once', () => {
    const state = withOlderEvents(start, taskPage([event('b', 2), event('c', 3)], { before: 'b' }));
    assert.deepEqual(ids(state), ['b', 'c', 'd']);
    assert.equal(state.before, 'b');
  });

  it('has the words of the newest page after an older one came', () =>
    assert.equal(withOlderEvents(start, taskPage([event('a', 1)])).text, 'c\nd'));

  it('keeps what is older than a page that is fetched again, and its cursor', () => {
    const state = withNewestEvents(start, taskPage([event('d', 4), event('e', 5)], { before: 'd' }));
    assert.deepEqual(ids(state), ['c', 'd', 'e']);
    assert.equal(state.before, 'c');
  });

  it('keeps only the page where something between was missed', () => {
    const state = withNewestEvents(start, taskPage([event('x', 9)], { before: 'x' }));
    assert.deepEqual(ids(state), ['x']);
    assert.equal(state.before, 'x');
  });

  it('keeps an answer apart from the message it answers', () => {
    const answer = event('d', 5, { kind: 'resume', type: '' });
    const state = withNewestEvents(start, taskPage([event('d', 4), answer]));
    assert.equal(state.timeline.length, 3);
    assert.equal(eventOf(state, agn('m/T-2026-001/d'))?.kind, 'message');
  });
});

describe('answerable', () => {
  const lock = overdue('hallucination_lock', { ref: agn('m/T-2026-001/v') });
  it('the escalation that is shown, while it is open', () => {
    assert.equal(answerable(escalation('e'), [lock])?.id, 'm/T-2026-001/e');
    assert.equal(answerable(escalation('e', { open: false }), [lock]), undefined);
  });
  it('the verdict that locked a task nobody escalated', () =>
    assert.equal(answerable(undefined, [overdue('ack_timeout'), lock])?.id, 'm/T-2026-001/v'));
  it('nothing else', () => assert.equal(answerable(undefined, [overdue('ack_timeout')]), undefined));
  it('knows what is overdue in the task alone', () => {
    const other = overdue('ack_timeout', { task: agn('t/T-2026-002') });
    const page = escalationPage({ overdue: [other, lock] });
    assert.deepEqual(overdueIn(page, agn('t/T-2026-001')), [lock]);
  });
});

describe('prefill', () => {
  const suggestions = [
    { text: 'Split it', action: 'split' },
    { text: 'Stop', action: 'terminate' },
  ] as const;

  it('fills in an empty answer', () =>
    assert.deepEqual(prefill(noAnswer, suggestions, 0), { action: 'split', body: 'Split it', suggested: 0 }));
  it('takes the place of another suggestion', () => {
    const answer = prefill(prefill(noAnswer, suggestions, 0), suggestions, 1);
    assert.deepEqual(answer, { action: 'terminate', body: 'Stop', suggested: 1 });
  });
  it('leaves what somebody wrote', () => {
    const answer = prefill(
      { action: 'approve', body: 'My own words. ', suggested: undefined },
      suggestions,
      1,
    );
    assert.equal(answer.body, 'My own words.\n\nStop');
    assert.equal(answer.action, 'terminate');
  });
  it('leaves a suggestion that somebody changed', () => {
    const changed = { ...prefill(noAnswer, suggestions, 0), body: 'Split it in three' };
    assert.equal(prefill(changed, suggestions, 1).body, 'Split it in three\n\nStop');
  });
  it('knows no other suggestion', () => assert.equal(prefill(noAnswer, suggestions, 7), noAnswer));
  it('has begun with a decision or with words', () => {
    assert.ok(!hasContent({ ...noAnswer, body: ' \n' }));
    assert.ok(hasContent({ ...noAnswer, action: 'approve' }));
    assert.ok(hasContent({ ...noAnswer, body: 'x' }));
  });
});

describe('attemptWith', () => {
  let count = 0;
  const token = (): `${string}-${string}-${string}-${string}-${string}` => `0-0-0-0-${++count}`;
  it('keeps its token for the same answer, and takes a new one for another', () => {
    const first = attemptWith('a', undefined, token);
    assert.equal(attemptWith('a', first, token), first);
    assert.notEqual(attemptWith('b', first, token).token, first.token);
  });
});

describe('the timeline', () => {
  it('has the three who are always there, then the others in the order of the format', () => {
    assert.deepEqual(lanesOf([]), ['admin', 'coordinator', 'executor']);
    assert.deepEqual(
      lanesOf([
        { from: 'system', to: 'admin' },
        { from: 'reviewer', to: 'coordinator' },
      ]),
      ['admin', 'coordinator', 'executor', 'reviewer', 'system'],
    );
  });
  it('gives strangers a lane at the end, and not without limit', () => {
    const strangers = Array.from({ length: 20 }, (_, index) => ({ from: `agent${index}`, to: '' }));
    assert.equal(lanesOf(strangers).length, 8);
    assert.equal(lanesOf(strangers)[3], 'agent0');
  });
  const lanes = ['admin', 'coordinator', 'executor'];
  for (const [name, from, to, want] of [
    ['to the right', 'coordinator', 'executor', { first: 1, last: 2, heads: 'right' }],
    ['to the left, over a lane', 'executor', 'admin', { first: 0, last: 2, heads: 'left' }],
    ['to itself', 'admin', 'admin', { first: 0, last: 0, heads: 'none' }],
    ['to nobody', 'admin', '', { first: 0, last: 0, heads: 'none' }],
    ['from nobody that is drawn', 'mallory', 'admin', undefined],
  ] as const) {
    it(`draws a step ${name}`, () => assert.deepEqual(arrowOf({ from, to }, lanes), want));
  }
  it('draws alarms and answers in their own way', () => {
    assert.equal(strokeOf({ kind: 'message', type: 'escalation' }), 'dashed');
    assert.equal(strokeOf({ kind: 'resume', type: '' }), 'double');
    assert.equal(strokeOf({ kind: 'message', type: 'task_result' }), 'plain');
  });
});

describe('newsIn', () => {
  const critical = escalation('e');
  const missed = overdue('ack_timeout');
  const urgent = question('q', { urgent: true });
  const page = [
    need({ escalation: critical, urgent: true }),
    need({ escalation: escalation('acknowledged', { acked: 5 }) }),
    need({ escalation: escalation('w', { severity: 'warning' }) }),
    need({ escalation: escalation('a', { open: false }) }),
    need({ overdue: missed }),
    need({ overdue: overdue('heartbeat_timeout') }),
    need({ question: urgent }),
    need({ question: question('other') }),
    need({ agent: agent('s', { state: 'waiting' }), urgent: true }),
  ];

  it('is what is urgent or critical and open, and what was missed', () => {
    const news = newsIn(page, []);
    assert.deepEqual(news.escalations, [critical]);
    assert.deepEqual(news.overdue, [missed]);
    assert.deepEqual(news.questions, [urgent]);
    assert.equal(news.keys.length, 3);
  });
  it('tells of a malformed escalation as of any other', () => {
    const malformed = escalation('x', { malformed: true, path: '/ssot/messages/x.json' });
    assert.deepEqual(newsIn([need({ escalation: malformed, urgent: true })], []).escalations, [malformed]);
  });
  it('is told once', () => {
    const told = remember([], newsIn(page, []).keys);
    assert.deepEqual(newsIn(page, told).keys, []);
  });
  it('tells another alarm about the same message', () => {
    const told = newsIn(page, []).keys;
    const other = overdue('branch_violation');
    assert.deepEqual(newsIn([need({ overdue: missed }), need({ overdue: other })], told).overdue, [other]);
  });
  it('remembers the newest, not without limit, each once', () => {
    const many = Array.from({ length: 700 }, (_, index) => `key${index}`);
    const told = remember(remember([], many), ['key699', 'last']);
    assert.equal(told.length, 500);
    assert.deepEqual(told.slice(-2), ['key699', 'last']);
    assert.equal(told.filter((key) => key === 'key699').length, 1);
  });
  it('reads back what was stored, whatever it is', () => {
    assert.deepEqual(readNotified(undefined), []);
    assert.deepEqual(readNotified({ length: 2 }), []);
    assert.deepEqual(readNotified(['a', 1, null, 'b']), ['a', 'b']);
  });
});

describe('noticeText', () => {
  it('leaves no link that a notification would make of it', () => {
    const text = noticeText('see [quit](command:workbench.action.quit) and [x](https://example.com)');
    assert.equal(text, 'see [quit] (command:workbench.action.quit) and [x] (https://example.com)');
    assert.ok(!noticeText('[a]](command:x) [b](\n(command:y)').includes(']('));
  });
  it('is one line, and not a long one', () => {
    assert.equal(noticeText(' a\n\nb\t'), 'a b');
    assert.equal(noticeText('a\u202egnp.exe\u2069 \u0000'), 'a⟨U+202E⟩gnp.exe⟨U+2069⟩ ⟨U+0000⟩');
    assert.equal(noticeText('x'.repeat(500)).length, 160);
  });
});

describe('diffIssues', () => {
  it('makes what is new and leaves what is unchanged', () => {
    const { gone, fresh } = diffIssues([issue(0)], [issue(0), issue(1)]);
    assert.deepEqual(gone, []);
    assert.deepEqual(fresh, [issue(1)]);
  });
  it('takes away what is no longer listed', () =>
    assert.deepEqual(diffIssues([issue(0), issue(1)], [issue(1)]).gone, [issue(0)]));
  it('makes what changed anew', () => {
    const moved = issue(0, { line: 9 });
    const { gone, fresh } = diffIssues([issue(0)], [moved]);
    assert.deepEqual(gone, [issue(0)]);
    assert.deepEqual(fresh, [moved]);
  });
  it('makes an issue that is listed twice once', () =>
    assert.equal(diffIssues([], [issue(0), issue(0)]).fresh.length, 1));
});

describe('fill and join', () => {
  it('never read a value as a pattern', () => {
    assert.equal(fill('{0} of {1}', '{1}$&', 'b'), '{1}$& of b');
    assert.equal(fill('{0} {2}', 'a'), 'a {2}');
  });
  it('leave out what is empty', () => assert.equal(join(['a', '', 'b'], ': '), 'a: b'));
  it('keys are equal for equal refs', () => assert.equal(refKey(agn('x')), refKey(agn('x'))));
});
