// The outcome of a message: the words for each state, and the draft of an undelivered message.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fill } from '../../src/fill';
import type { Receipt } from '../../src/protocol';
import { receiptMayChange, receiptText, resendDraft } from '../../src/thread/receipt';
import { threadWords } from '../../src/thread/words';
import { message } from '../samples';

const words = threadWords(fill, false);

describe('what became of a message', () => {
  const cases: readonly [Receipt, string, boolean][] = [
    [{ state: 'sent', alias: 'coder', time: 1 }, 'Not read yet', true],
    [{ state: 'told', alias: 'coder', time: 0 }, 'coder was told of it', true],
    [{ state: 'read', alias: 'coder', time: 0 }, 'Read by coder', true],
    [{ state: 'read', alias: 'coder', time: 1 }, 'Read by coder, 14:06', true],
    [{ state: 'answered', alias: 'coder', time: 1 }, 'Answered by coder, 14:06', false],
    [
      { state: 'nobody', alias: 'coder', time: 1, reason: 'ended' },
      'Nobody reads this: coder has ended',
      true,
    ],
    [
      { state: 'nobody', alias: 'coder', time: 1, reason: 'unknown' },
      'Nobody reads this: there has never been a coder',
      true,
    ],
    [
      { state: 'nobody', alias: 'coder', time: 1, reason: 'waits' },
      'Nobody reads this: it waits since 14:06',
      true,
    ],
  ];
  for (const [receipt, want, changes] of cases) {
    it(want, () => {
      assert.equal(fill(receiptText(receipt, words), receipt.alias, '14:06'), want);
      assert.equal(receiptMayChange(message('hello', 1, { receipt })), changes);
    });
  }

  it('is nothing for a message of others', () => {
    assert.equal(receiptMayChange(message('hello', 1)), false);
  });
});

describe('a message that was not delivered', () => {
  const lost = message('hello', 1, {
    ...{
      from: 'two',
      to: 'one',
      text: 'Hello one.\n\nWhich port?\n\n[it was not delivered: one ended before it read this]',
    },
    receipt: { state: 'lost', alias: 'coder', time: 0, text: 'Hello one.\n\nWhich port?\n' },
  });

  it('is quoted in a draft to whom mail reaches, without the remark', () => {
    assert.deepEqual(resendDraft(lost, '{0} wrote this to {1}, and it was not delivered:'), {
      to: 'coder',
      body: 'two wrote this to one, and it was not delivered:\n\n> Hello one.\n> \n> Which port?\n',
    });
  });

  it('goes to nobody yet where nobody knows whom mail reaches', () => {
    assert.equal(resendDraft({ ...lost, receipt: { state: 'lost', alias: '', time: 0 } }, '').to, '');
  });
});
