// What failures mean, for every code that a request can fail with.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fill } from '../../src/fill';
import { ErrorCode } from '../../src/protocol';
import {
  failureOf,
  remedyWords,
  triedBy,
  whyWords,
  type Remedy,
  type Tried,
  withoutRemedies,
} from '../../src/server/failureWords';
import { NotRunning } from '../../src/server/failures';

const t = (text: string, ...values: string[]): string => fill(text, ...values);
const failed = (code: number | undefined, data?: object): Error =>
  Object.assign(new Error('open log-bob.jsonl: permission denied'), code === undefined ? {} : { code }, {
    data,
  });
const reason = ' (open log-bob.jsonl: permission denied)';

/** Each code: what sending a reply says before the reason, and the buttons. */
const sending: Readonly<Record<number, readonly [string, readonly Remedy[]]>> = {
  [ErrorCode.NotFound]: ['Not sent: it is not there any more. Your text is kept.', []],
  [ErrorCode.Ambiguous]: ['Not sent: the name stands for several things. Your text is kept.', []],
  [ErrorCode.AliasInvalid]: [
    'Not sent: the name that you write under cannot be used. Your text is kept.',
    ['alias'],
  ],
  [ErrorCode.NotOwner]: ['Not sent: no mailbox of yours can send it. Your text is kept.', ['doctor']],
  [ErrorCode.StoreUnavailable]: [
    'Not sent: your mail cannot be written. Your text is kept.',
    ['retry', 'doctor'],
  ],
  [ErrorCode.Malformed]: ['Not sent: it breaks a rule of its format. Your text is kept.', []],
  [ErrorCode.TooLarge]: ['Not sent: it is too long. Your text is kept.', []],
  [ErrorCode.Untrusted]: [
    'Not sent: this workspace is not trusted, so Signalbox only reads. Your text is kept.',
    ['trust'],
  ],
  [ErrorCode.Unsupported]: ['Not sent: that cannot be done with it. Your text is kept.', []],
  [-32601]: ['Not sent: the server is of another version. Your text is kept.', ['restart', 'log']],
  [-32602]: ['Not sent: Signalbox asked for too much at once. Your text is kept.', ['restart', 'log']],
  [-32603]: ['Not sent: something went wrong in the server. Your text is kept.', ['retry', 'log']],
  [-32800]: ['Not sent: it was stopped before it was done. Your text is kept.', ['retry']],
  [-32097]: [
    'Perhaps not sent: the server stopped meanwhile. Your text is kept. Trying again writes nothing twice.',
    ['retry', 'log'],
  ],
  // No code that is known.
  [4711]: ['Not sent: something went wrong in the server. Your text is kept.', ['retry', 'log']],
};

describe('a failure in words', () => {
  for (const [code, [text, remedies]] of Object.entries(sending))
    it(`of code ${code} says what it means, and the reason last`, () =>
      assert.deepEqual(failureOf('send', failed(Number(code)), t), { text: text + reason, remedies }));

  it('offers nothing that is not there', () => {
    const unwritten = failed(ErrorCode.StoreUnavailable);
    withoutRemedies(['doctor']);
    assert.deepEqual(failureOf('send', unwritten, t).remedies, ['retry']);
    withoutRemedies([]);
    assert.deepEqual(failureOf('send', unwritten, t).remedies, ['retry', 'doctor']);
  });

  it('has a row for every code of the server', () => {
    for (const [name, code] of Object.entries(ErrorCode)) assert.ok(code in sending, name);
  });

  it('says that no server runs, with the buttons for it', () =>
    assert.deepEqual(failureOf('draft', new NotRunning('exit status 2'), t), {
      text: 'Not sent: the server is not running. The draft is kept. (exit status 2)',
      remedies: ['restart', 'log'],
    }));

  it('takes words of our own as they are', () =>
    assert.equal(
      failureOf('save', new Error('the chosen place is not on this machine'), t).text,
      'Not saved: the chosen place is not on this machine.',
    ));

  it('offers to try again where the server says that it may help', () =>
    assert.deepEqual(failureOf('open', failed(ErrorCode.NotFound, { retryable: true }), t).remedies, [
      'retry',
    ]));

  it('begins with what did not happen, and says what is kept, whatever was tried', () => {
    const begins: Readonly<Record<Tried, string>> = {
      send: 'Not sent: your mail cannot be written. Your text is kept.',
      draft: 'Not sent: your mail cannot be written. The draft is kept.',
      choose: 'Not answered: it cannot be written. The question stays where it is.',
      answer: 'Not answered: it cannot be written. Your answer is kept.',
      acknowledge: 'Not acknowledged: it cannot be written.',
      reply: 'You cannot reply now: it cannot be read.',
      mark: 'Not marked: that cannot be saved. Nothing was changed.',
      putAway: 'Not moved: that cannot be saved. Nothing was changed.',
      undo: 'Not undone: that cannot be saved. Nothing was changed.',
      open: 'Not opened: it cannot be read.',
      save: 'Not saved: the file cannot be written.',
      search: 'Not searched: it cannot be read.',
      list: 'Not up to date: it cannot be read. Refresh the list to try again.',
      setUp: 'Not set up: it cannot be read.',
      start: 'Not started: it cannot be read.',
      other: 'That did not work: it cannot be read.',
    };
    for (const [tried, text] of Object.entries(begins))
      assert.equal(failureOf(tried as Tried, failed(ErrorCode.StoreUnavailable), t).text, text + reason);
  });

  it('names the command where a list has no buttons', () =>
    assert.equal(
      failureOf('list', new NotRunning('not started'), t).text,
      'Not up to date: the server is not running. Run "Signalbox: Restart Server". (not started)',
    ));

  it('says why alone where the place says what', () =>
    assert.equal(whyWords(failed(ErrorCode.NotFound), t), `it is not there any more${reason}`));

  it('has words for every button', () => assert.equal(new Set(Object.values(remedyWords(t))).size, 6));
});

describe('what a command tried', () => {
  const tries: Readonly<Record<string, Tried>> = {
    sendDraft: 'draft',
    answerQuestion: 'choose',
    acknowledgeEscalation: 'acknowledge',
    archiveThread: 'putAway',
    unsnoozeThread: 'putAway',
    noReplyNeeded: 'putAway',
    replyNeeded: 'putAway',
    replyToThread: 'open',
    markAllRead: 'mark',
    undo: 'undo',
    search: 'search',
    refreshNeeds: 'list',
    setAlias: 'setUp',
    setUpMore: 'setUp',
    restartServer: 'start',
    openThreadAsText: 'open',
    doctor: 'other',
  };
  for (const [command, tried] of Object.entries(tries))
    it(command, () => assert.equal(triedBy(command), tried));
});
