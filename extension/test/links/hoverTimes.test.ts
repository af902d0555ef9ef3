import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withLocalTimes } from '../../src/links/hoverTimes';

const now = new Date(2026, 10, 27, 15, 0).getTime();
const at = (hour: number, minutes: number): number => new Date(2026, 10, 27, hour, minutes, 31).getTime();
const shown = (preview: string, above = 0): string =>
  withLocalTimes(preview, above, now, 'en').replaceAll('\u202f', ' ');

describe('the times of a preview', () => {
  it('are in local words', () => {
    assert.equal(
      shown('- **a → b** · 2026-11-27 14:02 UTC: Yes.\n- **b → a** · 2026-11-26 09:30 CET: No.'),
      '- **a → b** · 2:02 PM: Yes.\n- **b → a** · Nov 26, 9:30 AM: No.',
    );
    assert.equal(shown('a, b · last 2026-11-27 14:02 +0530\n'), 'a, b · last 2:02 PM\n');
  });

  it('do not say again what is said above', () => {
    const preview = '**a → b** · 2026-11-27 14:02 UTC\n\nthread `x`';
    assert.equal(shown(preview, at(14, 2)), '**a → b**\n\nthread `x`');
    assert.match(shown(preview, at(14, 3)), /2:02 PM/);
  });

  it('are ours alone: what is written otherwise stays as it is', () => {
    for (const text of ['It was 2026-11-27 14:02 UTC.', ' · 2026-11-27', ' · 2026-11-27 14:02:07'])
      assert.equal(shown(text), text);
  });
});
