// Measures the package in Node against the native core, on inputs like those of
// the Go hosts' benchmarks.
//
//   npm run bench --workspace @signalbox/core
//
// "make wasm-js" first. One core works at a time; run it on a quiet machine.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compile, load, ops } from '@signalbox/core';

const repo = join(dirname(fileURLToPath(import.meta.url)), '../../..');
const millisEach = 1500;
const bytes = readFileSync(join(repo, 'bin/signalbox.wasm'));
const core = await load(bytes, { keepMemory: 1 << 30 });

const log = generate(10 << 20, 10);
const mine = generate(10 << 20, 1);
const line = log.subarray(0, log.indexOf(10) + 1);
const threads = conversation(10 << 20);
const question = threads.subarray(0, threads.indexOf(10));
const logs = `"logs":[{"name":"log-alice.jsonl","length":${log.length}}]}`;
const all = `"logs":[{"name":"log-alice.jsonl","length":${mine.length}}]}`;
const mail = fixture('amp/inbox/01-plain.json');

/** What is measured, its op, parameters and input. */
const cases = [
  ['SAMP filter, nobody', 'samp.inbox', `{"me":"nobody","mode":"all",${logs}`, log],
  ['SAMP filter, a tenth', 'samp.inbox', `{"me":"me","mode":"all","forms":false,${logs}`, log],
  ['SAMP filter, a tenth with forms', 'samp.inbox', `{"me":"me","mode":"all",${logs}`, log],
  ['SAMP decode, all', 'samp.inbox', `{"me":"me","mode":"all","forms":false,${all}`, mine],
  ['SAMP validate', 'samp.validate', '{"log":"log-alice.jsonl"}', log],
  ['SAMP compact', 'samp.compact', '', log],
  ['SAMP parse', 'samp.parse', '', line],
  ['SAMP id', 'samp.id', '', line],
  ['SAMP alias', 'samp.alias', '', Buffer.from('alice')],
  ['ATSF count', 'atsf.count', '', threads],
  ['ATSF read a log', 'atsf.log', '', threads],
  ['ATSF message', 'atsf.message', '', question],
  ['AMP/1.0 message', 'agn.message', '', fixture('agn/amp-chain/01-task_dispatch.json')],
  ['amp/0.1 message', 'amp.message', '', mail],
  ['amp/0.1 verify Ed25519', ...verify('01-plain', 'alice')],
  ['amp/0.1 verify RSA', ...verify('24-rsa', 'rsa-agent')],
  ['amp/0.1 verify ECDSA', ...verify('25-ecdsa', 'ec-agent')],
];

const native = nativeNanos();
console.log('| op | native | Node | ratio |\n|---|---|---|---|');
for (const [i, [name, op, params, input]] of cases.entries()) {
  const node = nanos(() => core.call(op, params, input));
  console.log(
    `| ${name} | ${shown(native[i], input)} | ${shown(node, input)} | ${(node / native[i]).toFixed(1)} |`,
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

/** How long each case takes natively. */
function nativeNanos() {
  const calls = cases.flatMap(([, op, params, input]) => [
    Buffer.from(Uint32Array.of(ops[op], params.length, input.length, 0, 0).buffer),
    Buffer.from(params),
    input,
  ]);
  const output = execFileSync('go', ['run', './wasm/conformance/timing'], {
    cwd: repo,
    encoding: 'utf8',
    input: Buffer.concat(calls),
  });
  return output.trimEnd().split('\n').map(Number);
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
