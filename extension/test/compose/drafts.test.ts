import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { DraftStore } from '../../src/compose/drafts';

describe('DraftStore', () => {
  let folder = '';
  let store: DraftStore;
  const one = '11111111-0000-0000-0000-000000000000';
  const two = '22222222-0000-0000-0000-000000000000';

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'signalbox-drafts-'));
    store = new DraftStore(join(folder, 'drafts'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('keeps text and facts apart, and lists both', async () => {
    const facts = {
      name: 'Reply to alice',
      replyTo: { protocol: 'samp', store: 's', id: 'i' },
      attempt: { token: 't', draft: 'd' },
    };
    await store.create(one, facts, 'To: alice\n\nx');
    await store.setText(one, 'To: alice\n\ny');
    const [draft] = await store.list();
    assert.equal(draft?.text, 'To: alice\n\ny');
    assert.deepEqual(draft.facts, facts);
  });

  it('is empty before the first draft', async () => assert.deepEqual(await store.list(), []));

  it('removes a draft and nothing else', async () => {
    await store.create(one, { name: 'a' }, 'a');
    await store.create(two, { name: 'b' }, 'b');
    await store.remove(one);
    assert.deepEqual(
      (await store.list()).map(({ id }) => id),
      [two],
    );
    assert.equal((await readdir(join(folder, 'drafts'))).length, 2);
  });

  it('reads a draft whose facts are damaged', async () => {
    await store.create(one, { name: 'a' }, 'text');
    await writeFile(join(folder, 'drafts', `${one}.json`), '{"replyTo": 7');
    assert.deepEqual(await store.facts(one), { name: '' });
    assert.equal(await store.text(one), 'text');
  });

  for (const id of ['../escape', '', 'a/b', '..', 'x'.repeat(50)]) {
    it(`takes no path from the id ${JSON.stringify(id)}`, async () => {
      await assert.rejects(store.text(id), /no draft id/);
      await assert.rejects(store.setText(id, 'x'), /no draft id/);
    });
  }
});
