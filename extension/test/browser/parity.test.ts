// The module answers what the native program answers, byte for byte, over the same files.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { MemoryHost } from './memoryHost';
import {
  loadTree,
  moduleServer,
  native,
  nativeServer,
  pause,
  root,
  type Client,
  type Module,
} from './server';

const zone = 'Europe/Berlin';
const home = '/.signalbox';

interface Row {
  readonly ref: object;
}

describe('the module beside the native program', () => {
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-parity-')));
  const folder = join(scratch, 'sample');
  const host = new MemoryHost();
  let program: Client;
  let module: Module;

  before(async () => {
    const { PATH = '' } = process.env;
    execFileSync(native, ['demo', folder], { env: { PATH, HOME: scratch }, stdio: 'pipe' });
    const testdata = join(root, 'testdata');
    cpSync(join(testdata, 'agn/amp-chain'), join(folder, 'project/.ssot/messages'), { recursive: true });
    cpSync(join(testdata, 'amp/inbox'), join(folder, 'mail/agents/bob/messages/inbox'), { recursive: true });
    cpSync(join(testdata, 'samp/store-spaced'), join(folder, 'spaced'), { recursive: true });
    loadTree(host, folder);
    host.folder(home);
    program = nativeServer({ HOME: join(scratch, 'home'), TZ: zone }, '--browser');
    module = moduleServer(host, { env: { HOME: home, TZ: zone }, work: folder });
    const settings = {
      ...{
        alias: 'dev',
        writes: true,
        ampDirectory: join(folder, 'mail'),
        ssot: join(folder, 'project/.ssot'),
      },
      directories: [folder, join(folder, 'spaced')],
    };
    await Promise.all([program.start(folder, settings), module.client.start(folder, settings)]);
    // Agents' mail is counted behind the first answer.
    for (const client of [program, module.client])
      while ((await client.raw('signalbox/agents/list', { all: true })).includes('"uncounted"'))
        await pause(20);
  });
  after(async () => {
    await Promise.all([program.end(), module.client.end()]);
    rmSync(scratch, { recursive: true });
  });

  let asked = 0;
  /** Asks both, and returns what both answered. */
  const both = async <T>(method: string, params: unknown): Promise<T> => {
    const clean = (json: string): string => json.replaceAll(/"revision":\d+/g, '"revision":0');
    const [theirs, ours] = await Promise.all([
      program.raw(method, params),
      module.client.raw(method, params),
    ]);
    assert.equal(clean(ours), clean(theirs), `${method} ${JSON.stringify(params)}\n${module.log()}`);
    asked++;
    return (JSON.parse(ours) as { result: T }).result;
  };

  it('answers the same to every request that reads', async () => {
    await both('signalbox/needs/list', {});
    await both('signalbox/agents/list', { all: true });
    await both('signalbox/issue/list', {});
    const { threads } = await both<{ threads: Row[] }>('signalbox/inbox/list', { limit: 200 });
    for (const { ref } of threads) {
      const { messages } = await both<{ messages: Row[] }>('signalbox/thread/get', { ref });
      await both('signalbox/thread/diff', { ref });
      for (const message of messages.slice(0, 1))
        await both('signalbox/compose/context', { ref: message.ref });
    }
    for (const sort of ['newest', 'oldest', 'unread', 'sender'])
      await both('signalbox/inbox/list', { sort, limit: 5 });
    const { tasks } = await both<{ tasks: Row[] }>('signalbox/task/list', {});
    for (const { ref } of tasks) await both('signalbox/task/get', { ref });
    await both('signalbox/escalation/list', {});
    for (const query of ['login', 'build', 'T-2026', 'from:coder', 'zzz'])
      await both('signalbox/search', { query });
    for (const kind of ['recipient', 'thread']) await both('signalbox/link/complete', { kind, prefix: '' });
    assert.ok(threads.length > 10 && tasks.length > 1);
  });

  it('says the same about documents', async () => {
    const documents = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
      (name) => ['.json', '.jsonl', '.md'].includes(extname(name)) && !name.includes('.git/'),
    );
    for (const name of documents) {
      const path = join(folder, name);
      const uri = `file://${path}`;
      const textDocument = { uri, languageId: 'json', version: 1, text: readFileSync(path, 'utf8') };
      for (const client of [program, module.client]) client.notify('textDocument/didOpen', { textDocument });
      await both('textDocument/documentSymbol', { textDocument: { uri } });
      await both('textDocument/hover', { textDocument: { uri }, position: { line: 0, character: 12 } });
      await both('textDocument/documentLink', { textDocument: { uri } });
    }
    assert.ok(asked > 150, `${asked} answers`);
  });

  it('previews the same and sends what the native program reads', async () => {
    const draft = { to: 'planner', body: 'A reply from the browser.', thread: 'from-the-browser' };
    await both('signalbox/compose/context', {});
    const { ref } = await module.client.call<Row>('signalbox/message/send', { draft, clientToken: 'token' });
    const log = host.text(join(folder, 'log-dev.jsonl'));
    assert.match(log, /A reply from the browser\./);
    assert.deepEqual(
      [...host.nodes.keys()].filter((path) => /\.part$|lock/.test(path)),
      [],
    );
    const again = await module.client.call<Row>('signalbox/message/send', { draft, clientToken: 'token' });
    assert.deepEqual(again.ref, ref);
    assert.equal(host.text(join(folder, 'log-dev.jsonl')), log);
  });

  it('refuses what another program overwrites, and says so', async () => {
    const log = join(folder, 'log-dev.jsonl');
    const before = host.text(log);
    const write = host.writeFile.bind(host);
    host.writeFile = async (path, data) => {
      await write(path, data);
      if (path === log) host.put(log, before); // another browser, which read it before
    };
    const draft = { to: 'planner', body: 'This one is lost.', thread: 'from-the-browser' };
    const sent = module.client.call('signalbox/message/send', { draft, clientToken: 'lost' });
    await assert.rejects(sent, /another program wrote the file at the same moment/);
    host.writeFile = write;
    await module.client.call('signalbox/message/send', { draft, clientToken: 'lost' });
    assert.match(host.text(log), /This one is lost/);
  });

  it('reads no file that is too long, and says so', async () => {
    const log = join(folder, 'log-long.jsonl');
    host.put(log, new Uint8Array(200 << 20));
    const reason = 'longer than the 64 MB that are read in a browser';
    const started = Date.now();
    while (!(await module.client.raw('signalbox/status', {})).includes(reason))
      assert.ok(Date.now() - started < 10_000, module.log());
    await host.delete(log);
  });

  it('sees a change that is reported', async () => {
    const started = Date.now();
    const log = join(folder, 'log-late.jsonl');
    host.put(
      log,
      '{"id": "00000000000000aa", "ts": 1795262400, "from": "late", "to": "dev", "thread": "late", "body": "Seen?"}\n',
    );
    const listed = async (): Promise<boolean> =>
      (await module.client.raw('signalbox/inbox/list', { limit: 200 })).includes('Seen?');
    while (!(await listed())) assert.ok(Date.now() - started < 5000, 'the change was not seen');
  });
});
