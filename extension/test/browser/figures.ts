// The figures of BENCHMARKS.md about the server for browsers. The Worker is Node's, and the host
// answers after some time, as an editor's does.

import { MemoryHost } from './memoryHost';
import { fill, listed, moduleServer, pause } from './server';

const home = '/.signalbox';
const env = { HOME: home, TZ: 'UTC' };
const settings = { alias: 'dev', directories: ['/w/mail'], ampDirectory: '/w/none', ssot: '/w/none' };
const print = (text: string): void => void process.stdout.write(`${text}\n`);

for (const [messages, millis] of [
  [200, 10],
  [20_000, 10],
  [20_000, 50],
] as const) {
  const host = new MemoryHost(Date.now, () => pause(millis));
  fill(host, '/w/mail', messages);
  const started = performance.now();
  const since = (): string => `${Math.round(performance.now() - started)} ms`;
  const module = moduleServer(host, { env, work: '/w' });
  const initialized = module.client.begin('/w', settings);
  await initialized;
  print(`${messages} messages, ${millis} ms a call: initialized ${since()}`);
  await listed(module, 'Message');
  print(`  first rows ${since()}`);
  await module.client.settled();
  print(`  all known ${since()}, ${host.count} calls`);
  const searching = performance.now();
  await module.client.raw('signalbox/search', { query: 'Message 77' });
  print(`  search ${Math.round(performance.now() - searching)} ms`);
  const changing = performance.now();
  host.put(
    '/w/mail/log-late.jsonl',
    '{"id":"00000000000000aa","ts":1796000000,"from":"late","to":"dev","thread":"late","body":"Late"}\n',
  );
  await listed(module, '"Late"');
  print(`  a reported change ${Math.round(performance.now() - changing)} ms`);
  await pause(3000);
  const before = host.count;
  await pause(30_000);
  print(`  quiet: ${((host.count - before) / 30).toFixed(2)} calls a second`);
  print(`  memory of the process ${Math.round(process.memoryUsage().rss / (1 << 20))} MB, files included`);
  await module.client.end();
}
