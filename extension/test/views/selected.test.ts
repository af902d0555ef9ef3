// The clicked row is found even while VS Code redraws the list and knows none of its rows.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { selectedRow } from '../../src/views/selected';

void describe('the selected row', () => {
  void it('is the first of the selection', async () => {
    assert.equal(await selectedRow({ selection: ['b', 'c'] }), 'b');
  });

  void it('is known again once the list was redrawn', async () => {
    let looks = 0;
    const view = {
      get selection() {
        return ++looks > 6 ? ['b'] : [];
      },
    };
    assert.equal(await selectedRow(view), 'b');
  });

  void it('is none where nothing is selected', async () => {
    const none: readonly string[] = [];
    assert.equal(await selectedRow({ selection: none }), undefined);
  });
});
