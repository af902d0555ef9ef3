// The agent that was set up is offered in its thread until it answered.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { answered, readStart } from '../../src/setup/startOffer';

describe('an agent that can be started', () => {
  it('is remembered whole or not at all', () => {
    const started = { thread: 'samp /m t', client: 'claude', title: 'Claude Code', agent: 'project' };
    assert.deepEqual(readStart({ ...started, more: 1 }), started);
    for (const value of [undefined, null, 'x', {}, { ...started, agent: 1 }])
      assert.equal(readStart(value), undefined);
  });

  it('is offered until somebody else writes', () => {
    assert.equal(answered([{ mine: true }]), false);
    assert.equal(answered([{ mine: true }, { mine: false }]), true);
  });
});
