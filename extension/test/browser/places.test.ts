// Places as they are: a virtual workspace that is slow, read only and reports nothing, one in
// which files change while two browsers and a native program write, and a quiet one.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MemoryHost } from './memoryHost';
import { fill, line, listed, moduleServer, pause } from './server';

const home = '/.signalbox';
const mail = '/w/mail';
const env = { HOME: home, TZ: 'UTC' };
const settings = { alias: 'dev', directories: [mail], ampDirectory: '/w/none', ssot: '/w/none' };

describe('places', () => {
  it('reads a virtual workspace of 50 ms a call, and sees what nobody reports', async (t) => {
    const host = new MemoryHost(Date.now, () => pause(50));
    fill(host, mail, 200);
    const module = moduleServer(host, { env, work: '/w', watches: false });
    await module.client.start('/w', settings);
    await listed(module, 'Message 199');
    host.put(`${mail}/log-late.jsonl`, line(9999, 'late', 'dev', 'late', 'Written meanwhile'));
    const seen = await listed(module, 'Written meanwhile');
    t.diagnostic(`a change without events was seen after ${Math.round(seen)} ms`);
    assert.ok(seen < 10_000, `${seen} ms`); // 5 s where nothing else runs
    await module.client.end();
  });

  it('asks for nothing while nothing happens, where changes are reported', async (t) => {
    const host = new MemoryHost();
    fill(host, mail, 2000);
    const module = moduleServer(host, { env, work: '/w' });
    await module.client.start('/w', settings);
    await listed(module, 'Message 1999');
    await pause(3000);
    const before = host.count;
    await pause(5000);
    t.diagnostic(`${host.count - before} calls in 5 s`);
    assert.ok(host.count - before <= 5, JSON.stringify(host.calls));
    await module.client.end();
  });

  it('loses nothing of two browsers and a native writer', async (t) => {
    const host = new MemoryHost(Date.now, () => pause(5));
    fill(host, mail, 20);
    // Both browsers write under one name, which the page advises against.
    const browsers = [0, 1].map(() => moduleServer(host, { env, work: '/w', watches: false }));
    for (const { client } of browsers) await client.start('/w', { ...settings, writes: true });
    const acknowledged: string[] = [];
    const refused: string[] = [];
    const ended = new AbortController();
    const native = (async () => {
      for (let i = 0; !ended.signal.aborted; i++) {
        const log = `${mail}/log-native.jsonl`;
        const body = `Native ${i}`;
        const before = host.nodes.has(log) ? host.text(log) : '';
        host.put(log, before + line(20_000 + i, 'native', 'dev', 'crowd', body));
        acknowledged.push(body);
        await pause(30);
      }
    })();
    const until = performance.now() + 1000 * Number(process.env['SIGNALBOX_WRITERS_SECONDS'] ?? 4);
    await Promise.all(
      browsers.map(async ({ client }, which) => {
        for (let i = 0; performance.now() < until; i++) {
          const body = `Browser ${which}, ${i}.`;
          try {
            await client.call('signalbox/message/send', {
              draft: { to: 'native', body, thread: 'crowd' },
              clientToken: `${which}-${i}`,
            });
            acknowledged.push(body);
          } catch (error) {
            refused.push(String(error));
          }
        }
      }),
    );
    ended.abort();
    await native;
    const all = ['dev', 'native'].map((name) => host.text(`${mail}/log-${name}.jsonl`)).join('');
    t.diagnostic(`${acknowledged.length} acknowledged, ${refused.length} refused`);
    assert.deepEqual(
      acknowledged.filter((body) => !all.includes(`"${body}"`)),
      [],
    );
    for (const reason of refused) assert.match(reason, /another program|exists|lock/);
    for (const one of all.trimEnd().split('\n')) JSON.parse(one);
    await Promise.all(browsers.map(({ client }) => client.end()));
  });
});
