// Calls that must end in time: the worker of a late call is ended, and the next call
// runs in a new worker.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Worker } from 'node:worker_threads';
import { abi, compile, Remote } from '@signalbox/core';
import type { RemoteOptions } from '@signalbox/core';
import { coded, moduleBytes } from './setup.js';
import { tiny } from './tiny.js';

const library = new URL('../dist/index.js', import.meta.url).href;
const program = `
  import { parentPort } from 'node:worker_threads';
  import { serve } from '${library}';
  serve(parentPort);
`;

async function remote(
  module: Uint8Array<ArrayBuffer>,
  options?: RemoteOptions,
  code = program,
): Promise<Remote> {
  const url = new URL(`data:text/javascript,${encodeURIComponent(code)}`);
  return new Remote(() => new Worker(url), await compile(module), options);
}

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const version = (abi.major << 16) | abi.minor;
/** loop, br 0: never ends. */
const endless = [0x03, 0x40, 0x0c, 0, 0x0b, 0];

describe('a core in a worker', () => {
  it('returns results and errors', async () => {
    const core = await remote(moduleBytes);
    const calls = [1, 2, 3].map((n) => core.call('samp.alias', '', `agent${n}`));
    const bad = core.call('samp.parse', '', '{');
    for (const [i, result] of (await Promise.all(calls)).entries()) {
      assert.match(text(result), new RegExp(`"log-agent${i + 1}\\.jsonl"`));
    }
    await assert.rejects(bad, coded('Malformed', /./, 'R3'));
    await assert.rejects(core.call(7), coded('UnknownOp'));
    assert.equal(core.created, 1);
    core.close();
    await assert.rejects(core.call('info'), coded('Closed'));
  });

  it('ends a call that takes too long', async () => {
    const core = await remote(moduleBytes, { timeout: 300 });
    const line = `{"ts":1,"from":"a","to":"b","thread":"t","body":"${'x'.repeat(400)}"}\n`;
    await assert.rejects(core.call('samp.compact', '', line.repeat(120_000)), coded('Timeout', /300 ms/));
    assert.match(text(await core.call('samp.alias', '', 'alice')), /log-alice/);
    assert.equal(core.created, 2);
    core.close();
  });

  it('ends modules that never answer', async () => {
    for (const code of [{ call: endless }, { init: endless }, { in: endless }]) {
      const core = await remote(tiny({ version, code }), { timeout: 200, startTimeout: 1000 });
      for (let n = 1; n <= 2; n++) {
        await assert.rejects(core.call('info'), coded('Timeout'));
        assert.equal(core.created, n);
      }
      core.close();
    }
  });

  it('says that a module or worker is bad', async () => {
    const older = await remote(tiny({ version: version + (1 << 16) }));
    await assert.rejects(older.call('info'), coded('BadModule', /ABI 2/));
    older.close();
    const broken = await remote(moduleBytes, {}, 'throw new Error("no")');
    await assert.rejects(broken.call('info'), coded('Trap', /worker stopped/));
    broken.close();
    const closed = await remote(moduleBytes);
    const waiting = [closed.call('info'), closed.call('info')];
    const ends = waiting.map((call) => assert.rejects(call, coded('Closed')));
    closed.close();
    await Promise.all(ends);
  });
});
