import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { fill } from '../../src/fill';
import { undoMillis } from '../../src/heldBack';
import { overEnding } from '../../src/needs/endings';
import { outcomeTable } from '../../src/needs/needsWords';
import { Outcomes, unsureMillis, type Ending, type OutcomesHost } from '../../src/needs/outcomes';
import type { AnswerParams } from '../../src/protocol';
import { need, question, request } from '../needSamples';

const words = outcomeTable(fill);

/** A server, and a clock that the test advances. */
class Host implements OutcomesHost {
  readonly words = words;
  time = 0;
  timers: { readonly at: number; readonly run: () => void }[] = [];
  answers: AnswerParams[] = [];
  chosen: string[] = [];
  reply: () => Promise<unknown> = () => Promise.resolve();
  gone: Ending | undefined;

  now(): number {
    return this.time;
  }

  after(millis: number, run: () => void): () => void {
    const timer = { at: this.time + millis, run };
    this.timers.push(timer);
    return () => (this.timers = this.timers.filter((one) => one !== timer));
  }

  pass(millis: number): void {
    this.time += millis;
    const due = this.timers.filter(({ at }) => at <= this.time);
    this.timers = this.timers.filter(({ at }) => at > this.time);
    for (const { run } of due) run();
  }

  answer(params: AnswerParams): Promise<unknown> {
    this.answers.push(params);
    return this.reply();
  }

  choose(_: unknown, option: string): Promise<void> {
    this.chosen.push(option);
    return this.reply().then(() => undefined);
  }

  failed = (): string => 'Not answered.';
  over = (): Ending | undefined => this.gone;
  changed = (): void => undefined;
}

let host: Host;
let outcomes: Outcomes;
const shown = (key = 'k'): string | undefined => outcomes.endings.get(key)?.words;

beforeEach(() => {
  host = new Host();
  outcomes = new Outcomes(host);
});

describe('a decision', () => {
  it('is on its way, and then given', async () => {
    const given = outcomes.decide('k', request('1'), { allow: true });
    assert.equal(shown(), 'Allowing…');
    await given;
    assert.equal(shown(), 'Allowed · Undo is not possible');
    assert.deepEqual(host.answers, [{ id: '1', hash: 'hash of 1', allow: true }]);
    assert.equal(host.timers.length, 0);
  });

  for (const [kind, decision, want] of [
    ['permission', { allow: false }, 'Denied'],
    ['permission', { allow: false, reason: 'no' }, 'Denied · it was told why'],
    ['permission', { allow: true, rules: [0] }, 'Allowed, and from now on · Undo is not possible'],
    ['plan', { allow: true }, 'Plan approved'],
    ['plan', { allow: false }, 'Plan sent back'],
    ['question', { allow: false }, 'Declined'],
  ] as const)
    it(`says ${want}`, async () => {
      await outcomes.decide('k', request('1', { kind }), decision);
      assert.equal(shown(), want);
      assert.equal(outcomes.endings.get('k')?.over, true);
    });

  it('of which nothing is heard may be lost', async () => {
    let answer: () => void = () => undefined;
    host.reply = () => new Promise<void>((done) => (answer = done));
    const given = outcomes.decide('k', request('1'), { allow: false });
    host.pass(unsureMillis - 1);
    assert.equal(shown(), 'Denying…');
    host.pass(1);
    assert.equal(shown(), 'Sent, not confirmed');
    assert.equal(outcomes.endings.get('k')?.terminal, true);
    answer();
    await given;
    assert.equal(shown(), 'Denied');
  });

  it('that was not given leaves the row as it is', async () => {
    host.reply = () => Promise.reject(new Error('no disk'));
    await outcomes.decide('k', request('1'), { allow: true });
    assert.equal(shown(), 'Not answered.');
    assert.equal(outcomes.endings.get('k')?.failed, true);
  });

  it('that came too late says what counted', async () => {
    host.reply = () => Promise.reject(new Error('late'));
    host.gone = overEnding(undefined, words, false);
    await outcomes.decide('k', request('1'), { allow: true });
    assert.equal(shown(), 'Answered in the terminal');
  });
});

describe('an answer that can be taken back', () => {
  const asked = need({ question: question('q', { options: ['Yes', 'No'] }) });
  it('is sent after five seconds, once', () => {
    outcomes.choose('k', asked, 'Yes');
    assert.equal(shown(), 'Sent: Yes');
    assert.equal(outcomes.endings.get('k')?.undo, undoMillis);
    outcomes.choose('k', asked, 'No');
    host.pass(undoMillis - 1);
    assert.deepEqual(host.chosen, []);
    host.pass(1);
    assert.deepEqual(host.chosen, ['Yes']);
  });
  it('is not sent when it was taken back', () => {
    outcomes.choose('k', asked, 'Yes');
    assert.equal(outcomes.lastHeld, 'k');
    assert.ok(outcomes.undo('k'));
    assert.ok(!outcomes.undo('k'));
    host.pass(undoMillis);
    assert.deepEqual(host.chosen, []);
    assert.equal(shown(), undefined);
  });
  it('is sent at once when the window closes', async () => {
    outcomes.choose('k', asked, 'Yes');
    await outcomes.flush();
    assert.deepEqual(host.chosen, ['Yes']);
    assert.equal(shown(), 'Sent: Yes');
    assert.equal(outcomes.endings.get('k')?.undo, undefined);
  });
  it('is not sent when somebody else answered first', () => {
    outcomes.choose('k', asked, 'Yes');
    outcomes.gone('k', overEnding(undefined, words, false));
    host.pass(undoMillis);
    assert.deepEqual(host.chosen, []);
    assert.equal(shown(), 'Answered in the terminal');
  });
  it('is a form, too', async () => {
    const questions = [
      { text: 'How often?', options: [{ label: 'Once' }, { label: 'Twice' }] },
      { text: 'Why?' },
    ];
    const form = request('1', { kind: 'question', questions });
    await outcomes.decide('k', form, { allow: true, answers: [{ options: [1] }, { text: 'Because' }] });
    assert.equal(shown(), 'Sent: Twice; Because');
    assert.deepEqual(host.answers, []);
    host.pass(undoMillis);
    assert.equal(host.answers.length, 1);
  });
});

describe('a row that is gone', () => {
  it('keeps what was said of it, and is forgotten once nobody shows it', async () => {
    await outcomes.decide('k', request('1'), { allow: true });
    outcomes.gone('k', overEnding(undefined, words, false));
    assert.equal(shown(), 'Allowed · Undo is not possible');
    outcomes.forget((key) => key !== 'k');
    assert.equal(shown(), undefined);
  });
  for (const [detail, open, want] of [
    ['editor', true, 'Answered in the thread'],
    ['editor', false, 'Answered in another window'],
    ['terminal', false, 'Answered on the command line'],
    ['', false, 'Answered in the terminal'],
    ['shown', false, 'Not sent: it asks something else now'],
  ] as const)
    it(`says: ${want}`, () => {
      const error = Object.assign(new Error('the request is over'), { data: { detail } });
      assert.equal(overEnding(error, words, open).words, want);
    });
});
