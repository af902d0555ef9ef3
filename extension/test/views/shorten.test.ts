// A narrow row shows who and when, whatever its title.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { shortened, shortName, taken } from '../../src/views/shorten';

void describe('the title of a narrow row', () => {
  const rows = [
    [
      'leaves room for a short name',
      'Need a decision: keep the v1 API?',
      ['planner', '5m'],
      'Need a decision: keep…',
    ],
    [
      'is shorter beside more',
      'Need a decision: keep the v1 API?',
      ['Draft', 'planner', '5m'],
      'Need a decisio…',
    ],
    ['keeps its first words', 'Need a decision: keep the v1 API?', ['a'.repeat(40), '5m'], 'Need a deci…'],
    ['stays where it fits', 'Release 1.4', ['claude-frontend', '12m'], 'Release 1.4'],
  ] as const;
  for (const [what, title, facts, want] of rows)
    void it(what, () => {
      assert.equal(shortened(title, facts), want);
    });

  void it('is shorter where more than words stands in a row', () => {
    const facts = ['reviewer', '12m'];
    assert.equal(shortened('Urgent: secret in the log', facts, taken.sign), 'Urgent: secret in…');
    assert.equal(shortened('Urgent: secret in the log', facts, taken.group), 'Urgent: secre…');
  });

  void it('stands before a name that is cut', () => {
    assert.equal(shortName('planner'), 'planner');
    assert.equal(shortName('claude-frontend-checkout-refactoring'), 'claude-fronte…');
    assert.equal(shortName('claude-frontend-checkout-refactoring', taken.group), 'claude-fro…');
  });
});
