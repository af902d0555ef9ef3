// Every vector and fixture and the seeded random inputs: the same bytes as native.
import assert from 'node:assert/strict';
import { createReadStream } from 'node:fs';
import { test } from 'node:test';
import { replay } from './replay.js';
import { open } from './setup.js';

test('Node gives the bytes that the native core gives', async (t) => {
  const file = process.env['SIGNALBOX_TRANSCRIPT'];
  assert.ok(file, 'SIGNALBOX_TRANSCRIPT names no transcript: run npm test');
  const result = await replay(await open(), createReadStream(file, { highWaterMark: 1 << 20 }));
  t.diagnostic(`${result.calls} calls, ${result.errors} of them errors, in ${result.millis} ms`);
  assert.deepEqual(result.differences, []);
  assert.ok(result.calls > 30_000 && result.errors > result.calls / 10, JSON.stringify(result));
  assert.equal(result.created, 1);
});
