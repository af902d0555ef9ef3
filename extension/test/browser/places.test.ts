// Places as they are: a virtual workspace that is slow, read only and reports nothing, one in
// which files change while two browsers and a native program write, and a quiet one.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { diskHost } from './diskHost';
import { MemoryHost } from './memoryHost';
import { fill, line, listed, moduleServer, nativeServer, pause } from './server';

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

  it('loses nothing of two browsers and a native program', async (t) => {
    const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-writers-')));
    const log = join(scratch, 'mail');
    const opened = '/mail'; // as the browsers see it
    mkdirSync(log);
    const writer = (body: string, number: number): { draft: object; clientToken: string } => ({
      draft: { to: 'reader', body, thread: 'crowd' },
      clientToken: `${body} ${number}`,
    });
    // Both browsers write under one name, which the page advises against.
    const browsers = ['first', 'second'].map((name) => {
      const storage = join(scratch, name);
      mkdirSync(storage);
      const host = diskHost({ [opened]: log, [home]: storage }, () => pause(5));
      return moduleServer(host, { env, work: opened, watches: false });
    });
    const program = nativeServer({ HOME: join(scratch, 'home'), TZ: 'UTC' });
    await program.start(log, { ...settings, directories: [log], alias: 'native' });
    for (const { client } of browsers)
      await client.start(opened, { ...settings, directories: [opened], writes: true });
    t.after(async () => {
      await Promise.all([program.end(), ...browsers.map(({ client }) => client.end())]);
      rmSync(scratch, { recursive: true });
    });
    const acknowledged: string[] = [];
    const refused: string[] = [];
    const until = performance.now() + 1000 * Number(process.env['SIGNALBOX_WRITERS_SECONDS'] ?? 4);
    await Promise.all(
      [program, ...browsers.map(({ client }) => client)].map(async (client, which) => {
        for (let number = 0; performance.now() < until; number++) {
          const body = `Writer ${which}, ${number}.`;
          try {
            await client.call('signalbox/message/send', writer(body, number));
            acknowledged.push(body);
          } catch (error) {
            refused.push(String(error));
          }
        }
      }),
    );
    const logs = readdirSync(log).filter((name) => name.endsWith('.jsonl'));
    assert.deepEqual(logs.sort(), ['log-dev.jsonl', 'log-native.jsonl'], refused[0]);
    const all = logs.map((name) => readFileSync(join(log, name), 'utf8')).join('');
    t.diagnostic(`${acknowledged.length} acknowledged, ${refused.length} refused`);
    // What was lost is said first, and then the lines that are no records.
    const torn: string[] = [];
    const there = new Set<unknown>();
    for (const one of all.trimEnd().split('\n')) {
      try {
        there.add((JSON.parse(one) as { body: string }).body);
      } catch {
        torn.push(one);
      }
    }
    assert.deepEqual(
      acknowledged.filter((body) => !there.has(body)),
      [],
    );
    assert.deepEqual(torn, []);
    for (const reason of refused) assert.match(reason, /another program|exists|lock/);
  });
});
