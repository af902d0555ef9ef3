// Every vector and fixture and the seeded random inputs: the same bytes as native.
import assert from 'node:assert/strict';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { replay } from './replay.js';
import { open } from './setup.js';

test('a difference is seen', async () => {
  const core = await open();
  const input = new TextEncoder().encode('alice');
  const result = core.call('samp.alias', '', input);
  for (const [ok, change, count] of [
    [1, 0, 0],
    [1, 1, 1],
    [0, 0, 1],
  ] as const) {
    const head = Uint32Array.of(110, 0, input.length, ok, result.length);
    const answer = result.map((byte, i) => (i === 5 ? byte + change : byte));
    const bytes = Buffer.concat([
      Buffer.from('signalbox-transcript/1\n'),
      Buffer.from(head.buffer),
      input,
      answer,
    ]);
    const halves = [bytes.subarray(0, 50), bytes.subarray(50)];
    assert.equal((await replay(core, Readable.from(halves))).differences.length, count);
    await assert.rejects(replay(core, Readable.from(halves.slice(0, 1))), /cut short/);
  }
});

test('Node returns the bytes that the native core returns', async (t) => {
  const file = process.env['SIGNALBOX_TRANSCRIPT'];
  assert.ok(file, 'SIGNALBOX_TRANSCRIPT names no transcript: run npm test');
  const result = await replay(await open(), createReadStream(file, { highWaterMark: 1 << 20 }));
  t.diagnostic(`${result.calls} calls, ${result.errors} of them errors, in ${result.millis} ms`);
  assert.deepEqual(result.differences, []);
  assert.ok(result.calls > 30_000 && result.errors > result.calls / 10, JSON.stringify(result));
  assert.equal(result.created, 1);
});
