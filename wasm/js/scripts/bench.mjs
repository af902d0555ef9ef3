// Measures the package in Node against the native core, over the inputs of the
// Go host's benchmarks.
//
//   npm run bench --workspace @signalbox/core
//
// "make wasm-js" first. One core works at a time; run it on a quiet machine.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compile, load } from '@signalbox/core';

const repo = join(dirname(fileURLToPath(import.meta.url)), '../../..');
const millisEach = 1500;
const bytes = readFileSync(join(repo, 'bin/signalbox.wasm'));
const core = await load(bytes, { keepMemory: 1 << 30 });

const log = generate(10 << 20);
const line = log.subarray(0, log.indexOf(10) + 1);
const threads = conversation(10 << 20);
const question = threads.subarray(0, threads.indexOf(10));
const logs = `"logs":[{"name":"log-alice.jsonl","length":${log.length}}]}`;
const mail = fixture('amp/inbox/01-plain.json');

/** The benchmark of wasm/host and the name there, op, parameters and input. */
const cases = [
  ['Benchmark', 'filter nobody', 'samp.inbox', `{"me":"nobody","mode":"all",${logs}`, log],
  ['Benchmark', 'filter a tenth', 'samp.inbox', `{"me":"me","mode":"all","forms":false,${logs}`, log],
  ['Benchmark', 'filter a tenth with forms', 'samp.inbox', `{"me":"me","mode":"all",${logs}`, log],
  ['Benchmark', 'validate', 'samp.validate', '{"log":"log-alice.jsonl"}', log],
  ['Benchmark', 'compact', 'samp.compact', '', log],
  ['Benchmark', 'parse', 'samp.parse', '', line],
  ['Benchmark', 'id', 'samp.id', '', line],
  ['Benchmark', 'alias', 'samp.alias', '', 'alice'],
  ['BenchmarkATSF', 'count', 'atsf.count', '', threads],
  ['BenchmarkATSF', 'read a log', 'atsf.log', '', threads],
  ['BenchmarkATSF', 'message', 'atsf.message', '', question],
  ['BenchmarkAGN', 'message', 'agn.message', '', fixture('agn/amp-chain/01-task_dispatch.json')],
  ['BenchmarkAMP', 'message', 'amp.message', '', mail],
  ['BenchmarkAMP', 'verify Ed25519', ...verify('01-plain', 'alice')],
  ['BenchmarkAMP', 'verify RSA', ...verify('24-rsa', 'rsa-agent')],
  ['BenchmarkAMP', 'verify ECDSA', ...verify('25-ecdsa', 'ec-agent')],
];

console.log('| op | native | Node | ratio |\n|---|---|---|---|');
for (const [group, name, op, params, input] of cases) {
  const native = nativeNanos(group, name);
  const node = nanos(() => core.call(op, params, input));
  console.log(
    `| ${group.replace('Benchmark', '')} ${name} | ${shown(native, input)} | ${shown(node, input)} | ${(node / native).toFixed(1)} |`,
  );
}
const start = performance.now();
const module = await compile(bytes);
const compiled = performance.now();
const first = await load(module);
const loaded = performance.now();
first.samp.alias('alice');
const answered = performance.now();
console.log(
  `compile ${(compiled - start).toFixed(0)} ms, instance ${(loaded - compiled).toFixed(0)} ms, first call ${(answered - loaded).toFixed(1)} ms`,
);

function verify(message, key) {
  const text = fixture(`amp/sent/${message}.json`);
  const both = Buffer.concat([text, fixture(`amp/keys/${key}.public.pem`)]);
  return ['amp.verify', `{"messageLength":${text.length}}`, both];
}

function fixture(name) {
  return readFileSync(join(repo, 'testdata', name));
}

/** Nanoseconds a call, after some that only warm up. */
function nanos(call) {
  let calls = 0;
  let start = performance.now();
  for (let warm = true; ; calls++) {
    const spent = performance.now() - start;
    if (warm && spent > millisEach / 3) [warm, calls, start] = [false, 0, performance.now()];
    else if (!warm && spent > millisEach) return (spent * 1e6) / calls;
    call();
  }
}

function nativeNanos(group, name) {
  const pattern = `^${group}$/^op=${name.replaceAll(' ', '_')}$/^engine=native$`;
  const args = ['test', './wasm/host', '-run', '^$', '-bench', pattern, '-benchtime', '1s'];
  const output = execFileSync('go', args, { cwd: repo, encoding: 'utf8' });
  const match = /\s([0-9.]+) ns\/op/.exec(output);
  if (match === null) throw new Error(`no result of ${pattern}:\n${output}`);
  return Number(match[1]);
}

function shown(nanosEach, input) {
  if (input.length > 100_000) return `${((input.length / nanosEach) * 1000).toFixed(0)} MB/s`;
  return `${(nanosEach / 1000).toFixed(2)} µs`;
}

/** The log that the Go host's benchmarks make. */
function generate(size) {
  const body =
    'Ran the suite on the branch: 412 passed, 0 failed, 3 took longer than a second.\n' +
    'The slow ones are in store/index; I would split the fixture. Say "go" and I merge — café.';
  const lines = [];
  for (let n = 0, length = 0; length < size; n++) {
    const to = n % 10 === 0 ? 'me' : `agent${n % 10}`;
    const thread = `2026-04-25-alice-topic-${Math.floor(n / 20)}`;
    lines.push(core.samp.build({ from: 'alice', to, thread, body: body + n, ts: 1777000000 + n }));
    length += lines.at(-1).length;
  }
  return Buffer.concat(lines);
}

/** The conversation that they make. */
function conversation(size) {
  const output = 'ok  \tpackage/name\t0.012s\n"quoted" line of a file\n'.repeat(40);
  const lines = [];
  for (let n = 0, length = 0; length < size; n++) {
    const content = [{ type: 'text', text: 'Please fix the login. '.repeat(10) }];
    const tools = [];
    if (n % 2 === 1) {
      content.push({ type: 'thinking', text: 'Let me look at auth.ts, line by line. '.repeat(10) });
      tools.push({
        id: 'tc',
        name: 'bash',
        status: 'completed',
        input: '{"command":"go test ./..."}',
        output,
        duration: 12,
      });
    }
    lines.push(
      core.atsf.buildMessage({
        ...{
          id: String(n),
          role: n % 2 === 1 ? 'agent' : 'user',
          time: 1739529000000 + n * 1000,
          content,
          tools,
        },
      }),
    );
    length += lines.at(-1).length;
  }
  return Buffer.concat(lines);
}
