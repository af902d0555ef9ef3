// The tests in Chromium: the replay in a worker, and what only a page can show.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type * as core from '@signalbox/core';
import { visit } from './browser.js';
import type { Visit } from './browser.js';
import type { Replay } from './replay.js';
import { moduleFile, repo } from './setup.js';

const files = join(repo, 'wasm/js');

describe('Chromium', () => {
  let here: Visit;
  before(async () => {
    here = await visit({
      '/blank.html': join(files, 'test/blank.html'),
      '/dist/': join(files, 'dist/'),
      '/dist-test/': join(files, 'dist-test/'),
      '/signalbox.wasm': moduleFile,
      '/transcript': process.env['SIGNALBOX_TRANSCRIPT'] ?? '',
    });
    await here.page.goto(`${here.address}/blank.html`);
  });
  after(() => here.close());

  it('returns in a worker the bytes that the native core returns', async (t) => {
    const result = await here.page.evaluate(async () => {
      const { compile } = (await import(new URL('/dist/index.js', location.href).href)) as typeof core;
      const module = await compile(fetch('/signalbox.wasm'));
      const worker = new Worker('/dist-test/worker.js', { type: 'module' });
      const answer = new Promise<MessageEvent<Replay | string>>((done, fail) => {
        worker.onmessage = done;
        worker.onerror = (event) => {
          fail(new Error(event.message));
        };
      });
      worker.postMessage({ module, transcript: '/transcript' });
      return (await answer).data;
    });
    if (typeof result === 'string') throw new Error(result);
    t.diagnostic(`${result.calls} calls, ${result.errors} of them errors, in ${result.millis} ms`);
    assert.deepEqual(result.differences, []);
    assert.ok(result.calls > 30_000 && result.errors > result.calls / 10, JSON.stringify(result));
    assert.equal(result.created, 1);
  });

  it('replaces an instance on the page itself', async () => {
    const result = await here.page.evaluate(async () => {
      const { load } = (await import(new URL('/dist/index.js', location.href).href)) as typeof core;
      const page = await load(new URL('/signalbox.wasm', location.href), { maxMemory: 24 << 20 });
      let code = '';
      try {
        page.samp.compact(new Uint8Array(40 << 20));
      } catch (error) {
        code = (error as { code: string }).code;
      }
      return { code, log: page.samp.alias('alice').log, ...page.stats };
    });
    assert.equal(result.code, 'Trap');
    assert.equal(result.log, 'log-alice.jsonl');
    assert.deepEqual([result.created, result.discarded], [2, 1]);
  });

  it('ends a call that takes too long, in a worker', async () => {
    const result = await here.page.evaluate(async () => {
      const { compile, Remote } = (await import(
        new URL('/dist/index.js', location.href).href
      )) as typeof core;
      const module = await compile(fetch('/signalbox.wasm'));
      const spawn = (): Worker => new Worker('/dist-test/remoteWorker.js', { type: 'module' });
      const remote = new Remote(spawn, module, { timeout: 300 });
      const alias = async (): Promise<string> =>
        new TextDecoder().decode(await remote.call('samp.alias', '', 'alice'));
      const first = await alias();
      const line = `{"ts":1,"from":"a","to":"b","thread":"t","body":"${'x'.repeat(400)}"}\n`;
      const code = await remote.call('samp.compact', '', line.repeat(120_000)).then(
        () => 'an answer',
        (error: unknown) => (error as { code: string }).code,
      );
      const same = (await alias()) === first;
      const { created } = remote;
      remote.close();
      return { code, same, created };
    });
    assert.deepEqual(result, { code: 'Timeout', same: true, created: 2 });
  });

  it('says what is wrong with an address', async () => {
    const result = await here.page.evaluate(async () => {
      const { load } = (await import(new URL('/dist/index.js', location.href).href)) as typeof core;
      return load(new URL('/nothing', location.href)).then(
        () => 'loaded',
        (error: unknown) => `${(error as { code: string }).code}: ${String((error as Error).cause)}`,
      );
    });
    assert.equal(result, 'BadModule: Error: the server answered 404');
  });
});
