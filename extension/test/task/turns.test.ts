// Whose turn it is in a task, and who is late.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fill } from '../../src/fill';
import { nextWords, overdueText } from '../../src/task/turns';
import { taskWords } from '../../src/task/words';

describe('the turns of a task', () => {
  const words = taskWords(fill, false);

  it('name the user as "you"', () => {
    assert.equal(nextWords({ nextWho: 'admin', nextDo: 'respond' }, words), 'Waiting for your answer');
    assert.equal(nextWords({ nextWho: 'reviewer', nextDo: 'review' }, words), 'Next: reviewer: review');
    assert.equal(nextWords({ nextWho: '', nextDo: '' }, words), '');
  });

  it('say who is late with what', () => {
    const late = { who: 'executor', title: 'Parse dates', label: 'Deadlock' };
    const cases = [
      ['ack_timeout', 'executor has not confirmed Parse dates'],
      ['heartbeat_timeout', 'executor silent 45m: Parse dates'],
      ['deadlock', 'Deadlock: executor'],
    ] as const;
    for (const [kind, said] of cases) assert.equal(overdueText({ ...late, kind }, words, '45m'), said);
  });
});
