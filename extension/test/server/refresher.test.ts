import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Refresher } from '../../src/server/refresher';

/** A list whose fetches end when the test says so. */
function listAt(revision: number): {
  revision: number;
  fetches: number;
  end: () => void;
  reload: () => Promise<void>;
} {
  const list = {
    revision,
    fetches: 0,
    end: (): void => undefined,
    reload: (): Promise<void> => {
      list.fetches++;
      return new Promise((done) => {
        list.end = done;
      });
    },
  };
  return list;
}

const turn = (): Promise<void> => new Promise((done) => setImmediate(done));

describe('Refresher', () => {
  it('fetches nothing for what is shown', async () => {
    const list = listAt(5);
    await new Refresher(list).revision(5);
    assert.equal(list.fetches, 0);
  });

  it('fetches once for a mark and for the change that tells of it', async () => {
    const list = listAt(5);
    const refresher = new Refresher(list);
    const both = [refresher.revision(6), refresher.revision(6)];
    await turn();
    assert.equal(list.fetches, 1);
    list.revision = 6;
    list.end();
    await Promise.all([...both, refresher.revision(6)]);
    assert.equal(list.fetches, 1);
  });

  it('fetches once more for a change that came while it fetched', async () => {
    const list = listAt(5);
    const refresher = new Refresher(list);
    const first = refresher.now();
    const late = refresher.revision(7);
    list.revision = 6;
    list.end();
    await first;
    await turn();
    assert.equal(list.fetches, 2);
    list.revision = 7;
    list.end();
    await late;
  });

  it('does not go on where a fetch fails to bring the revision', async () => {
    const list = listAt(5);
    const refresher = new Refresher(list);
    const wanted = refresher.revision(6);
    await turn();
    list.end();
    await wanted;
    assert.equal(list.fetches, 1);
  });
});
