// 100,000 mixed calls in one instance: its linear memory stays as it is.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { coded, fixture, open, repo } from './setup.js';

/** The collector of the guest runs when it likes, and the memory grows by steps of half a MiB. */
const slack = 2 << 20;

test('the memory is flat over 100,000 calls', async (t) => {
  const core = await open();
  const logs = readdirSync(join(repo, 'testdata/samp/store-spaced'))
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => ({ name, data: fixture(`samp/store-spaced/${name}`) }));
  const all = Buffer.concat(logs.map((log) => log.data));
  const line = all.subarray(0, all.indexOf('\n'));
  const big = Buffer.concat(Array.from({ length: 100 }, () => all));
  const mail = fixture('amp/sent/01-plain.json');
  const key = fixture('amp/keys/alice.public.pem');
  const dispatch = fixture('agn/amp-chain/01-task_dispatch.json');
  const thread = fixture('atsf/foreign/unknown-fields/thread.json');
  const messages = fixture('atsf/foreign/unknown-fields/messages.jsonl');
  const kinds: (() => unknown)[] = [
    () => core.samp.inbox({ me: 'bob', mode: 'all', logs }),
    () => core.samp.id(line),
    () => core.samp.alias('alice'),
    () => {
      assert.throws(() => core.samp.parse('{'), coded('Malformed'));
    },
    () => core.atsf.check({ thread, messages }),
    () => core.agn.state('T-2026-044', { messages: [dispatch] }, 1_772_120_000_000),
    () => core.amp.message(mail),
    () => {
      assert.throws(() => core.call(7), coded('UnknownOp'));
    },
  ];
  const mixed = (calls: number): void => {
    for (let n = 0; n < calls; n++) {
      if (n % 1000 === 999) core.samp.validate('log-x.jsonl', big);
      else if (n % 100 === 99) assert.ok(core.amp.verify(mail, key).verified);
      else kinds[n % kinds.length]?.();
    }
  };
  mixed(20_000);
  const before = core.stats;
  const process0 = process.memoryUsage();
  mixed(100_000);
  const after = core.stats;
  const mib = (bytes: number): string => `${(bytes / (1 << 20)).toFixed(1)} MiB`;
  t.diagnostic(`linear memory ${mib(before.memory)} before, ${mib(after.memory)} after`);
  t.diagnostic(`resident set ${mib(process0.rss)} before, ${mib(process.memoryUsage().rss)} after`);
  assert.equal(after.created, 1);
  assert.ok(after.memory <= before.memory + slack, `${before.memory} became ${after.memory}`);
});
