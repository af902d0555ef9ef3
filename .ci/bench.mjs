// Times whole processes of the signalbox binary on the generated store, and in
// the same run what the machine itself needs for the same bytes.
//
//   node .ci/bench.mjs path/to/signalbox folder-of-the-store [runs]
//   node .ci/bench.mjs path/to/signalbox folder-of-the-store large [records]
//   node .ci/bench.mjs path/to/signalbox folder-of-the-store editor
//   node .ci/bench.mjs path/to/signalbox folder-of-the-store mcp
//
// The store is written if it is not there: 10 logs, 1,000,000 records of about
// 300 bytes, a tenth of them to "me". "large" holds "inbox all" on it against
// one of 10,000,000 records, which takes 3 GB beside it and is removed again.
// "editor" holds the server against what an editor may wait for, with nearly no
// mail, 100,000 and 1,000,000 messages. "mcp" is what an agent's program waits for:
// the tools with 100,000 messages, and a hook beside "inbox".
// Each figure is the median of the runs, with the page cache warm, and the best
// of them behind it, which other work on the machine changes least. What is over
// its target is marked and fails nothing.
import { spawn, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  closeSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const [bin, store, runsText = '7', recordsText = '10000000'] = process.argv.slice(2);
const large = runsText === 'large';
const editor = runsText === 'editor';
const mcp = runsText === 'mcp';
const runs = mcp ? 40 : large ? 3 : editor ? 5 : Number(runsText);

make(store);
const { logs, bytes } = describe(store);
console.log(`store: ${logs.length} logs, ${(bytes / 1e6).toFixed(0)} MB`);
const scratch = mkdtempSync(join(tmpdir(), 'signalbox-bench-'));
const env = { HOME: scratch, XDG_STATE_HOME: join(scratch, 'state') };
try {
  if (large) {
    compareSizes(Number(recordsText));
  } else if (editor) {
    await budgets();
  } else if (mcp) {
    await tools();
    hooks();
  } else {
    await small();
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

async function small() {
  // Reading new mail moves the watermark, so it runs on a folder of its own; the
  // logs are the same files where hard links are possible, but for the one that
  // grows.
  const mine = join(scratch, 'mail');
  if (spawnSync('cp', ['-rl', store, mine]).status !== 0) cpSync(store, mine, { recursive: true });
  rmSync(join(mine, logs[0]));
  copyFileSync(join(store, logs[0]), join(mine, logs[0]));
  const all = time(() => run(['--dir', mine, '--as', 'me', 'inbox', 'all'], env));
  row('inbox all, cold process', all, 'ms', 300);
  await server(mine);
  // Mail that nobody can have seen is not marked as read, so that it goes to a file.
  const seen = openSync(join(scratch, 'inbox'), 'w');
  const first = once(() => run(['--dir', mine, '--as', 'me', 'inbox'], env, seen));
  closeSync(seen);
  const nothing = time(() => run(['--dir', mine, '--as', 'me', 'inbox'], env));
  console.log(`inbox, everything new: ${first.toFixed(0)} ms (once)`);
  row('inbox, nothing new, whole process', nothing, 'ms', 5);
  // To start a process from here is a part of every figure.
  const start = (args) =>
    figure(
      time(() => spawnSync(...args, { stdio: 'ignore' })),
      'ms',
    );
  console.log(
    `limit: to start "true" ${start(['true', []])}, "signalbox --version" ${start([bin, ['--version']])}`,
  );
  limits(all);
}

/** What an agent's program waits for from "signalbox mcp". */
async function tools() {
  for (const [name, me] of [
    ['a tenth of them to the agent', 'me'],
    ['half of them to the agent', 'half'],
    ['all of them to the agent', 'all'],
  ]) {
    const mine = join(scratch, me);
    make(mine, ['--records', '100000']);
    if (me === 'half') toOne(mine, me, 2);
    if (me === 'all') toOne(mine, me, 1);
    const ready = [];
    for (let i = 0; i < runs; i++) {
      const s = await startTools(mine, me);
      ready.push(s.ready);
      await s.stop();
    }
    row(`100,000 messages, ${name}: start to initialize answered`, sorted(ready), 'ms', 30);
    const s = await startTools(mine, me);
    await s.tool('check_mail', { keep_unread: true });
    await s.tool('check_mail', { limit: 100 });
    row(`check_mail, 100 of them taken: peak resident memory`, [s.peak()], 'MB', 40);
    // The command line marks the rest as read, as nobody calls check_mail 500 times.
    const seen = openSync(join(scratch, 'read'), 'w');
    run(['--dir', mine, '--as', me, 'inbox'], env, seen);
    closeSync(seen);
    await s.tool('check_mail');
    const nothing = await latencies(runs, () => s.tool('check_mail'));
    row('check_mail, nothing new', sorted(nothing), 'ms', 5);
    const waits = [];
    for (let i = 0; i < Math.min(runs, 20); i++) {
      const told = s.tool('wait_for_mail', { seconds: 30 });
      await sleep(200 + 7 * i);
      const start = performance.now();
      appendFileSync(join(mine, logs[0]), `${JSON.stringify(mailTo(me, i))}\n`);
      await told;
      waits.push(performance.now() - start);
      await s.tool('check_mail');
    }
    row('wait_for_mail, from the append to the result', sorted(waits), 'ms', 100);
    await s.stop();
  }
}

/** Has every nth message of a store go to one reader. */
function toOne(folder, me, n) {
  for (const name of describe(folder).logs) {
    const path = join(folder, name);
    const lines = readFileSync(path, 'utf8').split('\n');
    writeFileSync(path, lines.map((line, i) => (i % n ? line : line.replace(/"to": "[^"]*"/, `"to": "${me}"`))).join('\n'));
  }
}

function mailTo(me, i) {
  const id = i.toString(16).padStart(16, '0');
  return { id, ts: Math.floor(Date.now() / 1000), from: 'agent00', to: me, thread: 't', body: `message ${i}` };
}

/** A running "signalbox mcp" whose client is as simple as can be. */
async function startTools(mine, me) {
  const start = performance.now();
  const child = spawn(bin, ['--dir', mine, '--as', me, 'mcp'], {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const waiting = new Map();
  let got = '';
  let last = 0;
  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const call = (method, params) => {
    const id = ++last;
    send({ id, method, params });
    return new Promise((done) => waiting.set(id, done));
  };
  child.stdout.on('data', (data) => {
    const lines = (got + data).split('\n');
    got = lines.pop();
    for (const line of lines) {
      const message = JSON.parse(line);
      waiting.get(message.id)?.(message.result);
      waiting.delete(message.id);
    }
  });
  await call('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1' },
  });
  const ready = performance.now() - start;
  send({ method: 'notifications/initialized' });
  return {
    ready,
    tool: async (name, args = {}) => {
      const result = await call('tools/call', { name, arguments: args });
      if (result === undefined || result.isError) throw new Error(`${name}: ${JSON.stringify(result)}`);
    },
    peak: () => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))[1]) / 1e3,
    stop: async () => {
      const ended = new Promise((done) => child.once('close', done));
      child.stdin.end();
      await ended;
    },
  };
}

/** A hook's whole process with nothing new, and of a tool that begins and ends, beside "inbox" with nothing new, in turns. */
function hooks() {
  const mine = join(scratch, 'hooks');
  make(mine, ['--records', '100000']);
  const seen = openSync(join(scratch, 'read'), 'w');
  run(['--dir', mine, '--as', 'me', 'inbox'], env, seen);
  closeSync(seen);
  const tool = { tool_name: 'Bash', tool_input: { command: 'make test' } };
  const event = (hook_event_name) => JSON.stringify({ session_id: 's', hook_event_name, cwd: scratch, ...tool });
  const hook = (name, client = 'claude') => {
    const result = spawnSync(bin, ['--dir', mine, '--as', 'me', 'hook', client], {
      env: { ...process.env, ...env },
      input: event(name),
    });
    if (result.status !== 0) throw new Error(`hook: exit ${result.status}`);
    return result.stdout.length;
  };
  hook('SessionStart');
  hook('UserPromptSubmit');
  hook('SessionStart', 'gemini');
  hook('BeforeAgent', 'gemini');
  const [inbox, told, apart, noting] = [[], [], [], []];
  for (let i = 0; i < 5 * runs; i++) {
    // The same pipes, so that the processes differ alone in what they do.
    const a = once(() =>
      spawnSync(bin, ['--dir', mine, '--as', 'me', 'inbox'], { env: { ...process.env, ...env }, input: '' }),
    );
    const b = once(() => {
      if (hook('PostToolUse') !== 0) throw new Error('the hook told something');
    });
    inbox.push(a);
    told.push(b);
    apart.push(b - a);
    for (const name of ['BeforeTool', 'AfterTool']) noting.push(once(() => hook(name, 'gemini')) - a);
  }
  console.log(`inbox, nothing new, whole process: ${figure(sorted(inbox), 'ms')}`);
  console.log(`hook, nothing new, whole process: ${figure(sorted(told), 'ms')}`);
  row(`hook over inbox, median of ${apart.length} pairs`, sorted(apart).slice(0, 1), 'ms', 2);
  row(`hook that notes a tool over inbox, median of ${noting.length} pairs`, sorted(noting).slice(0, 1), 'ms', 2);
}

/** How long the server takes to its first page, what an append costs it, and its memory. */
async function server(mine) {
  const [pages, whole, memory] = [[], [], []];
  for (let i = 0; i < runs; i++) {
    const s = await startServer(mine);
    pages.push(s.page);
    whole.push(await s.indexed());
    memory.push(s.resident());
    if (i === runs - 1) await appends(s, join(mine, logs[0]));
    await s.stop();
  }
  row('server: start to first page', sorted(pages), 'ms', 150);
  console.log(`server: start to all indexed: ${figure(sorted(whole), 'ms')}`);
  row('server: resident memory, all indexed', sorted(memory), 'MB', 150);
}

/** What an editor waits for, from its side of the pipe. */
async function budgets() {
  const initialized = [];
  const memories = [15, 40, 150];
  for (const records of [100, 100_000, 1_000_000]) {
    const folder = records === 1_000_000 ? store : join(scratch, `store-${records}`);
    make(folder, ['--records', String(records)]);
    const name = `${records.toLocaleString('en')} messages`;
    const [pages, whole, memory] = [[], [], []];
    for (let i = 0; i < runs * 4; i++) {
      rmSync(env.XDG_STATE_HOME, { recursive: true, force: true });
      const s = await startServer(folder);
      initialized.push(s.initialized);
      pages.push(s.page);
      // All of it takes seconds: as often as is needed for a median.
      if (i < runs) {
        whole.push(await s.indexed());
        memory.push(s.resident());
      }
      if (i === 0) await requests(s, name);
      await s.stop();
    }
    row(`${name}: start to first page`, sorted(pages), 'ms', 150);
    if (records === 100_000) row(`${name}: start to all indexed`, sorted(whole), 'ms', 500);
    row(`${name}: resident memory`, sorted(memory), 'MB', memories.shift());
  }
  initialized.sort((a, b) => a - b);
  row(`start to initialize answered, p95 of ${initialized.length}`, [rank(initialized, 0.95)], 'ms', 50);
}

/** The answers to what an editor asks all the time: pages of the inbox and of threads, and hovers above ids. */
async function requests(s, name) {
  const count = 1_000;
  const uri = 'file:///notes.md';
  const refs = [];
  let cursor;
  const inbox = await latencies(count, async () => {
    const page = await s.call('signalbox/inbox/list', {
      filter: {},
      limit: 50,
      cursor,
    });
    cursor = page.nextCursor;
    refs.push(...page.threads.map(({ ref }) => ref));
  });
  const ids = [];
  const thread = await latencies(count, async (i) => {
    const page = await s.call('signalbox/thread/get', {
      ref: refs[(i * 7919) % refs.length],
      limit: 50,
    });
    ids.push(page.messages.at(-1).id);
  });
  const text = ids.map((id) => `See ${id}.\n`).join('');
  s.send({
    method: 'textDocument/didOpen',
    params: { textDocument: { uri, languageId: 'markdown', version: 1, text } },
  });
  const hover = await latencies(count, async (line) => {
    const found = await s.call('textDocument/hover', {
      textDocument: { uri },
      position: { line, character: 8 },
    });
    if (found === null) throw new Error(`no hover above ${ids[line]}`);
  });
  for (const [what, times] of Object.entries({
    'inbox page': inbox,
    'thread page': thread,
    hover,
  }))
    console.log(
      `${name}: ${what}, there and back: p50 ${rank(times, 0.5).toFixed(2)}, p99 ${rank(times, 0.99).toFixed(1)} ms`,
    );
}

/** How long each of some calls took, sorted. */
async function latencies(count, call) {
  const times = [];
  for (let i = 0; i < count; i++) {
    const start = performance.now();
    await call(i);
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b);
}

/** The time that this part of some sorted ones does not exceed. */
function rank(times, part) {
  return times[Math.ceil(times.length * part) - 1];
}

async function appends(s, log) {
  const cpu = () => threadTimes(s.pid);
  if (cpu() === undefined) {
    console.log('server: the work of an append is measured on Linux alone');
    return;
  }
  const count = 200;
  const idle = cpu();
  await sleep(count * 15);
  const before = cpu();
  for (let i = 0; i < count; i++) {
    const record = {
      id: i.toString(16).padStart(16, '0'),
      ts: 1_900_000_000 + i,
      from: 'agent00',
      to: 'me',
      thread: 't',
      body: `message ${i}`,
    };
    appendFileSync(log, `${JSON.stringify(record)}\n`);
    await sleep(15);
  }
  await sleep(200);
  const work = (cpu() - before - (before - idle)) / count;
  row('server: work of an append, all threads', [work], 'ms', 1);
}

/** The time all threads of a process computed, in milliseconds, or undefined. */
function threadTimes(pid) {
  try {
    return readdirSync(`/proc/${pid}/task`)
      .map((task) => Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]) / 1e6)
      .reduce((a, b) => a + b);
  } catch {
    return undefined;
  }
}

function sleep(ms) {
  return new Promise((done) => setTimeout(done, ms));
}

/** A running server over a directory, which gave its first page with mail. */
async function startServer(mine) {
  const start = performance.now();
  const child = spawn(bin, ['--dir', mine, '--as', 'me', 'lsp'], {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const waiting = new Map();
  let got = Buffer.alloc(0);
  let last = 0;
  const send = (message) => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  };
  const call = (method, params) => {
    const id = ++last;
    send({ id, method, params });
    return new Promise((done, fail) => waiting.set(id, { done, fail }));
  };
  child.on('exit', (code) => {
    for (const w of waiting.values()) w.fail(new Error(`the server ended with ${code}`));
  });
  child.stdout.on('data', (data) => {
    got = Buffer.concat([got, data]);
    for (;;) {
      const head = got.indexOf('\r\n\r\n');
      if (head < 0) return;
      const end = head + 4 + Number(/Content-Length: (\d+)/i.exec(got.subarray(0, head))[1]);
      if (got.length < end) return;
      const message = JSON.parse(got.subarray(head + 4, end));
      got = got.subarray(end);
      if (message.method !== undefined) {
        if (message.id !== undefined) send({ id: message.id, result: null });
        continue;
      }
      const w = waiting.get(message.id);
      waiting.delete(message.id);
      if (message.error !== undefined) w.fail(new Error(message.error.message));
      else w.done(message.result);
    }
  });
  await call('initialize', {
    processId: null,
    rootUri: null,
    capabilities: {},
  });
  const initialized = performance.now() - start;
  send({ method: 'initialized', params: {} });
  for (;;) {
    const { threads } = await call('signalbox/inbox/list', {
      filter: {},
      limit: 50,
    });
    if (threads.length > 0) break;
    await sleep(10);
  }
  const page = performance.now() - start;
  return {
    pid: child.pid,
    call,
    send,
    initialized,
    page,
    indexed: async () => {
      while ((await call('signalbox/status', {})).indexing) await sleep(10);
      return performance.now() - start;
    },
    resident: () =>
      Number(
        spawnSync('ps', ['-o', 'rss=', '-p', String(child.pid)], {
          encoding: 'utf8',
        }).stdout,
      ) / 1e3,
    stop: async () => {
      const ended = new Promise((done) => child.once('close', done));
      await call('shutdown');
      send({ method: 'exit' });
      await ended;
    },
  };
}

/** What the machine needs for the same bytes. */
function limits(all) {
  const files = logs.map((name) => join(store, name));
  const against = (took) => `inbox all is ${(took / all[0]).toFixed(1)} times as fast`;
  const read = time(() => spawnSync('cat', files, { stdio: ['ignore', 'ignore', 'ignore'] }));
  console.log(
    `limit: cat of the same bytes: ${figure(read, 'ms')}; inbox all takes ${(all[0] / read[0]).toFixed(1)} times as long`,
  );
  const program = [
    'import json, sys, time',
    'lines = [l for name in sys.argv[1:] for l in open(name, "rb").read().split(b"\\n") if l]',
    'start = time.perf_counter()',
    'for line in lines: json.loads(line)',
    'print(len(lines), (time.perf_counter() - start) * 1000)',
  ].join('\n');
  const python = spawnSync('python3', ['-c', program, ...files], {
    encoding: 'utf8',
  });
  if (python.error !== undefined || python.status !== 0) {
    console.log('limit: no python3 here, so its json.loads is not measured');
  } else {
    const [lines, took] = python.stdout.trim().split(' ').map(Number);
    console.log(`limit: json.loads over the same ${lines} lines: ${took.toFixed(0)} ms; ${against(took)}`);
  }
  if (spawnSync('jq', ['--version']).status !== 0) {
    console.log('limit: no jq here, so it is not measured');
    return;
  }
  const filter = 'select(.to == "me") | .id';
  const jq = once(() =>
    spawnSync('jq', ['-r', filter, ...files], {
      stdio: ['ignore', 'ignore', 'ignore'],
    }),
  );
  console.log(`limit: jq '${filter}' over the same lines: ${jq.toFixed(0)} ms; ${against(jq)}`);
}

/** Holds "inbox all" on the store against one of many more records. */
function compareSizes(records) {
  const folder = `${store}-${records}`;
  try {
    make(folder, ['--records', String(records)]);
    const more = describe(folder);
    console.log(`large store: ${records} records, ${(more.bytes / 1e6).toFixed(0)} MB`);
    const base = measured(store);
    const at = measured(folder);
    const ratio = at.best / base.best / (more.bytes / bytes);
    console.log(
      `inbox all: ${base.best.toFixed(0)} ms, ${base.cpu.toFixed(0)} ms of CPU, ${base.peak.toFixed(0)} MB; large: ${at.best.toFixed(0)} ms, ${at.cpu.toFixed(0)} ms of CPU, ${at.peak.toFixed(0)} MB`,
    );
    console.log(
      `a byte of the large one takes ${ratio.toFixed(2)} times as long, in CPU ${(at.cpu / base.cpu / (more.bytes / bytes)).toFixed(2)}`,
    );
    row('inbox all, large: peak resident memory', [at.peak], 'MB', 150);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The best wall and CPU times and the peak memory of "inbox all", by Python, which asks the system. */
function measured(dir) {
  const program = [
    'import resource, subprocess, sys, time',
    'best = cpu = 1e9',
    'for _ in range(int(sys.argv[1])):',
    '    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()',
    '    subprocess.run(sys.argv[2:], stdout=subprocess.DEVNULL, check=True)',
    '    best, after = min(best, time.perf_counter() - start), resource.getrusage(resource.RUSAGE_CHILDREN)',
    '    cpu = min(cpu, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)',
    'print(best * 1e3, cpu * 1e3, after.ru_maxrss * (1 if sys.platform == "darwin" else 1024) / 1e6)',
  ].join('\n');
  const args = ['-c', program, String(runs), bin, '--dir', dir, '--as', 'me', 'inbox', 'all'];
  const result = spawnSync('python3', args, {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
  if (result.error !== undefined || result.status !== 0)
    throw new Error(`python3 is needed here: ${result.stderr}`);
  const [best, cpu, peak] = result.stdout.trim().split(' ').map(Number);
  return { best, cpu, peak };
}

function make(folder, args = []) {
  if (existsSync(folder)) return;
  const part = `${folder}.part`;
  rmSync(part, { recursive: true, force: true });
  run(['bench-store', part, ...args]);
  renameSync(part, folder);
}

function describe(folder) {
  const logs = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  return {
    logs,
    bytes: logs.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0),
  };
}

function run(args, env = {}, stdout = 'ignore') {
  const result = spawnSync(bin, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', stdout, 'pipe'],
  });
  if (result.error !== undefined) throw result.error;
  if (result.status !== 0)
    throw new Error(`${bin} ${args.join(' ')}: exit ${result.status}\n${result.stderr}`);
}

function once(work) {
  const start = performance.now();
  work();
  return performance.now() - start;
}

/** The median and the best of some runs in milliseconds, after one that warms the cache. */
function time(work) {
  work();
  return sorted(Array.from({ length: runs }, () => once(work)));
}

/** The median of figures, and the best. */
function sorted(list) {
  const up = [...list].sort((a, b) => a - b);
  return [up[Math.floor(up.length / 2)], up[0]];
}

function figure([median, best], unit) {
  const digits = median < 10 ? 1 : 0;
  return `${median.toFixed(digits)} ${unit}${best === undefined ? '' : ` (best ${best.toFixed(digits)})`}`;
}

function row(name, took, unit, target) {
  const over =
    took[0] <= target ? '' : (took[1] ?? took[0]) <= target ? '  OVER, but not at its best' : '  OVER';
  console.log(`${name}: ${figure(took, unit)}, target ${target} ${unit}${over}`);
}
