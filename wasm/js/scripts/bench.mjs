// Measures the package in Node, on inputs like those of the Go hosts' benchmarks, which
// have the native core.
//
//   npm run bench --workspace @signalbox/core
//
// "make wasm-js" first. One core works at a time; run it on a quiet machine.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compile, load } from '@signalbox/core';

const repo = join(dirname(fileURLToPath(import.meta.url)), '../../..');
const millisEach = 1500;
const bytes = readFileSync(join(repo, 'bin/signalbox.wasm'));
const core = await load(bytes, { keepMemory: 1 << 30 });

const log = generate(10 << 20, 10);
const mine = generate(10 << 20, 1);
const line = log.subarray(0, log.indexOf(10) + 1);
const threads = conversation(10 << 20);
const logs = `"logs":[{"name":"log-alice.jsonl","length":${log.length}}]}`;
const all = `"logs":[{"name":"log-alice.jsonl","length":${mine.length}}]}`;

/** What is measured, its op, parameters and input. */
const cases = [
  ['SAMP filter, nobody', 'samp.inbox', `{"me":"nobody","mode":"all",${logs}`, log],
  ['SAMP decode, all', 'samp.inbox', `{"me":"me","mode":"all","forms":false,${all}`, mine],
  ['SAMP validate', 'samp.validate', '{"log":"log-alice.jsonl"}', log],
  ['SAMP compact', 'samp.compact', '', log],
  ['SAMP parse', 'samp.parse', '', line],
  ['ATSF count', 'atsf.count', '', threads],
  ['ATSF read a log', 'atsf.log', '', threads],
  ['AMP/1.0 message', 'agn.message', '', fixture('agn/amp-chain/01-task_dispatch.json')],
  ['amp/0.1 message', 'amp.message', '', fixture('amp/inbox/01-plain.json')],
];

console.log('| op | Node |\n|---|---|');
for (const [name, op, params, input] of cases) {
  console.log(
    `| ${name} | ${shown(
      nanos(() => core.call(op, params, input)),
      input,
    )} |`,
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

function shown(nanosEach, input) {
  if (input.length > 100_000) return `${((input.length / nanosEach) * 1000).toFixed(0)} MB/s`;
  return `${(nanosEach / 1000).toFixed(2)} µs`;
}

/** A log with records of about 400 bytes, every nth of them to me. */
function generate(size, nth) {
  const body =
    'Ran the suite on the branch: 412 passed, 0 failed, 3 took longer than a second.\n' +
    'The slow ones are in store/index; I would split the fixture. Say "go" and I merge — café.';
  const lines = [];
  for (let n = 0, length = 0; length < size; n++) {
    const to = n % nth === 0 ? 'me' : `agent${n % 10}`;
    const thread = `2026-04-25-alice-topic-${Math.floor(n / 20)}`;
    lines.push(core.samp.build({ from: 'alice', to, thread, body: body + n, ts: 1777000000 + n }));
    length += lines.at(-1).length;
  }
  return Buffer.concat(lines);
}

/** A messages.jsonl with questions, and answers with a tool call whose output is most of the line. */
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
