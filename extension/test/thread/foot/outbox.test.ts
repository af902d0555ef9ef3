// A sent message is held back for some seconds, and one line shows its outcome.

import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import { fill } from '../../../src/fill';
import { systemClock, undoMillis } from '../../../src/heldBack';
import type { Receipt } from '../../../src/protocol';
import { footWords } from '../../../src/thread/foot/footWords';
import { Outbox } from '../../../src/thread/foot/outbox';
import { traceLine, type Trace } from '../../../src/thread/foot/trace';

describe('what is held back', () => {
  const ref = { protocol: 'samp', store: '/m', id: '1' } as const;

  const withClock = (run: (outbox: Outbox, sent: string[]) => void): void => {
    mock.timers.enable({ apis: ['setTimeout', 'Date'] });
    try {
      run(new Outbox(systemClock), []);
    } finally {
      mock.timers.reset();
    }
  };

  const sends = (sent: string[], text: string) => (): Promise<void> => {
    sent.push(text);
    return Promise.resolve();
  };

  it('is sent once its time is over', () =>
    withClock((outbox, sent) => {
      outbox.hold('a', 'one', undefined, sends(sent, 'one'));
      mock.timers.tick(undoMillis - 1);
      assert.deepEqual([sent, outbox.held('a')?.text], [[], 'one']);
      mock.timers.tick(1);
      assert.deepEqual([sent, outbox.held('a')], [['one'], undefined]);
      assert.equal(outbox.undo('a'), undefined);
    }));

  it('is taken back before', () =>
    withClock((outbox, sent) => {
      outbox.hold('a', 'one', ref, sends(sent, 'one'));
      const { text, message } = outbox.undo('a') ?? {};
      assert.deepEqual([text, message], ['one', ref]);
      mock.timers.tick(2 * undoMillis);
      assert.deepEqual(sent, []);
    }));

  it('is sent at once where the thread sends another, and where the window closes', () =>
    withClock((outbox, sent) => {
      outbox.hold('a', 'one', undefined, sends(sent, 'one'));
      outbox.hold('a', 'two', undefined, sends(sent, 'two'));
      outbox.hold('b', 'three', undefined, sends(sent, 'three'));
      assert.deepEqual(sent, ['one']);
      void outbox.flush();
      assert.deepEqual(sent, ['one', 'two', 'three']);
      mock.timers.tick(2 * undoMillis);
      assert.equal(sent.length, 3);
    }));
});

describe('what became of a message', () => {
  const time = new Date(2026, 10, 27, 14, 5).getTime();
  const sent = (receipt: Partial<Receipt>, reach: 'send' | 'wake' | 'wait' = 'send'): Trace => ({
    ...{ kind: 'sent', name: 'coder', reach, time },
    receipt: { state: 'sent', alias: 'coder', time, ...receipt },
  });
  const cases: readonly (readonly [Trace, string])[] = [
    [
      { kind: 'held', text: 'Use timingSafeEqual,\n and add a test', until: time },
      'send: Sent: “Use timingSafeEqual, and add a test” [undo]',
    ],
    [sent({}), 'mail: Waits for coder’s next step, since 14:05'],
    [sent({}, 'wake'), 'mail: Wakes coder, since 14:05'],
    [sent({}, 'wait'), 'mail: Waits until coder reads it, since 14:05'],
    [sent({ state: 'told', time: 0 }), 'mail: coder was told of it'],
    [sent({ state: 'read', time: time + 60_000 }), 'ok: coder read it, 14:06'],
    [sent({ state: 'read', time: 0 }), 'ok: coder read it'],
    [
      sent({ state: 'nobody', reason: 'ended' }),
      'warn: Not delivered: coder ended before it read this. [continue]',
    ],
    [sent({ state: 'nobody', reason: 'unknown' }), 'warn: Nobody reads this as coder.'],
    [sent({ state: 'answered' }), ''],
  ];
  for (const [trace, expected] of cases) {
    it(expected === '' ? 'is not told once it was answered' : expected, () => {
      const line = traceLine(trace, footWords(fill), time, 'en-GB');
      const act = line?.act === undefined ? '' : ` [${line.act}]`;
      assert.equal(line === undefined ? '' : `${line.icon}: ${line.text}${act}`, expected);
    });
  }
});
