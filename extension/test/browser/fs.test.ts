import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Files } from '../../src/browser/fs';
import { MemoryHost } from './memoryHost';

const writing = { add: 1 | 1024, make: 1 | 64 | 128, over: 2 };
const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** A disk whose clock is the test's, as Go's syscall package uses it. */
function disk(keepMillis = 2500) {
  let now = 1_000_000;
  let slept = (): void => undefined;
  const host = new MemoryHost(() => now);
  const files = new Files(host, {
    now: () => now,
    keepMillis: () => keepMillis,
    longest: 1000,
    mostCached: 5000,
    isOwn: (path) => path.startsWith('/own/'),
    sleep: () => {
      slept();
      return Promise.resolve();
    },
    random: () => 'x',
  });
  const functions = files.functions() as Record<string, (...args: unknown[]) => void>;
  const call = (name: string, ...args: unknown[]): Promise<unknown> =>
    new Promise((resolve, reject) => {
      functions[name]?.(...args, (error: Error | null, value: unknown) =>
        error === null ? resolve(value) : reject(error),
      );
    });
  const open = async (path: string, flags = 0): Promise<number> =>
    (await call('open', path, flags, 0o600)) as number;
  return {
    host,
    files,
    call,
    open,
    tick: (millis: number) => (now += millis),
    pause: (run: () => void) => (slept = run),
    read: async (path: string): Promise<string> => {
      const fd = await open(path);
      const into = new Uint8Array(100);
      const length = (await call('read', fd, into, 0, 100, null)) as number;
      await call('close', fd);
      return text(into.subarray(0, length));
    },
    write: async (path: string, flags: number, data: string): Promise<void> => {
      const fd = await open(path, flags);
      try {
        await call('write', fd, new TextEncoder().encode(data), 0, data.length, null);
        await call('fsync', fd);
      } finally {
        await call('close', fd);
      }
    },
    stat: async (path: string) => (await call('lstat', path)) as { ino: number; size: number; mode: number },
  };
}

describe('what is kept of the files', () => {
  it('asks once, until an event says that a file changed', async () => {
    const d = disk(600_000);
    d.host.put('/w/a', 'one');
    assert.equal(await d.read('/w/a'), 'one');
    const before = d.host.count;
    assert.equal(await d.read('/w/a'), 'one');
    assert.equal(d.host.count, before);
    d.host.watch = (path, kind) => d.files.cache.changed(path, kind);
    d.host.put('/w/a', 'two');
    assert.equal(await d.read('/w/a'), 'two');
    d.host.put('/w/b', 'new');
    assert.deepEqual(await d.call('readdir', '/w'), ['a', 'b']);
    await d.host.delete('/w/b');
    await assert.rejects(d.stat('/w/b'), { code: 'ENOENT' });
  });

  it('sees every change without events by its clock', async () => {
    const d = disk(2500);
    d.host.put('/w/a', 'start');
    for (let round = 0; round < 50; round++) {
      await d.read('/w/a');
      await d.call('readdir', '/w');
      await d.stat(`/w/n${round}`).catch(() => undefined);
      d.tick(37 * round); // the change is at any moment between two looks
      d.host.put('/w/a', `round ${round}`);
      d.host.put(`/w/n${round}`, 'made');
      d.tick(2501);
      assert.equal(await d.read('/w/a'), `round ${round}`);
      assert.equal((await d.stat(`/w/n${round}`)).size, 4);
      assert.equal(((await d.call('readdir', '/w')) as string[]).length, round + 2);
    }
  });

  it('keeps no answer that is older than an event', async () => {
    const d = disk(600_000);
    d.host.put('/w/a', 'old');
    const stat = d.host.stat.bind(d.host);
    d.host.stat = async (path) => {
      const answer = await stat(path);
      if (path === '/w/a' && answer.size === 3) {
        d.host.put('/w/a', 'changed');
        d.files.cache.changed('/w/a', 1); // it comes before the answer
      }
      return answer;
    };
    await d.stat('/w/a');
    assert.equal((await d.stat('/w/a')).size, 7);
  });

  it('asks for a folder at once, and not for what its list lacks', async () => {
    const d = disk(600_000);
    for (let i = 0; i < 100; i++) d.host.put(`/w/f${i}`, 'x');
    await d.call('readdir', '/w');
    for (let i = 0; i < 4; i++) await d.stat(`/w/f${i}`);
    await new Promise((done) => setTimeout(done, 10));
    const asked = d.host.calls['stat'];
    for (let i = 0; i < 100; i++) await d.stat(`/w/f${i}`);
    await assert.rejects(d.stat('/w/none'), { code: 'ENOENT' });
    assert.equal(d.host.calls['stat'], asked);
  });

  it('reads folders ahead, so many levels down and no long file', async () => {
    const d = disk(600_000);
    d.host.put('/w/a', 'one');
    d.host.put('/w/deep/b', 'two');
    d.host.put('/w/deep/deeper/c', 'three');
    d.host.put('/w/long', 'x'.repeat((1 << 20) + 1));
    for (let n = 0; n < 600; n++) d.host.put(`/many/${n}`, 'x');
    d.files.cache.readAhead([
      ['/w', 2],
      ['/none', 1],
    ]);
    await new Promise((done) => setTimeout(done, 20));
    assert.deepEqual(d.host.calls, { readDirectory: 3, stat: 5, readFile: 2 });
    assert.equal(await d.read('/w/a'), 'one');
    assert.equal(await d.read('/w/deep/b'), 'two');
    assert.equal(d.host.calls.readFile, 2);
    d.files.cache.readAhead([['/many', 1]]);
    await new Promise((done) => setTimeout(done, 50));
    assert.equal(d.host.calls.readFile, 502);
  });

  it('knows a file again where the provider has no times of birth', async () => {
    const d = disk();
    d.host.put('/w/a', 'line\n');
    const { ino } = await d.stat('/w/a');
    d.tick(5000);
    d.host.put('/w/a', 'line\nline\n');
    assert.equal((await d.stat('/w/a')).ino, ino);
    await d.call('rename', '/w/a', '/w/b');
    assert.equal((await d.stat('/w/b')).ino, ino);
    await d.host.delete('/w/b');
    d.tick(5000);
    d.host.put('/w/b', 'other');
    assert.notEqual((await d.stat('/w/b')).ino, ino);
  });

  it('reads no file that is too long', async () => {
    const d = disk();
    d.host.put('/w/long', 'x'.repeat(1001));
    await assert.rejects(d.read('/w/long'), { code: 'EFBIG' });
    assert.equal(d.host.calls['readFile'], undefined);
  });
});

describe('writing', () => {
  it('adds to what is there at that moment', async () => {
    const d = disk(600_000);
    d.host.put('/w/log', 'one\n');
    assert.equal(await d.read('/w/log'), 'one\n');
    d.host.put('/w/log', 'one\ntwo\n'); // nobody reports it
    await d.write('/w/log', writing.add, 'three\n');
    assert.equal(d.host.text('/w/log'), 'one\ntwo\nthree\n');
    assert.equal(await d.read('/w/log'), 'one\ntwo\nthree\n');
  });

  it('refuses an append if another writer came between', async () => {
    const d = disk();
    d.host.put('/w/log', 'one\n');
    const read = d.host.readFile.bind(d.host);
    let reads = 0;
    d.host.readFile = async (path) => {
      if (++reads === 2) d.host.put('/w/log', 'one\ntheirs\n');
      return read(path);
    };
    await assert.rejects(d.write('/w/log', writing.add, 'mine\n'), { code: 'ESTALE' });
    assert.equal(d.host.text('/w/log'), 'one\ntheirs\n');
  });

  it('refuses an append that another writer overwrote', async () => {
    const d = disk();
    d.host.put('/w/log', 'one\n');
    const read = d.host.readFile.bind(d.host);
    let reads = 0;
    d.host.readFile = async (path) => {
      if (++reads === 3) d.host.put('/w/log', 'one\ntheirs\n');
      return read(path);
    };
    await assert.rejects(d.write('/w/log', writing.add, 'mine\n'), { code: 'ESTALE' });
    assert.equal(await d.read('/w/log'), 'one\ntheirs\n');
  });

  it('leaves nothing of what was refused where two overwrite a log at once', async () => {
    const d = disk();
    const mine = '{"body":"mine"}\n';
    for (const theirs of ['{"body":"theirs is longer"}\n', '{"body":"mine"}\n\n', '{"body":"mi"}\n']) {
      d.host.put('/w/log.jsonl', '{}\n');
      const write = d.host.writeFile.bind(d.host);
      // Both have emptied it; theirs is written first, and mine over it.
      d.host.writeFile = async (path, data) => {
        d.host.writeFile = write;
        const over = new TextEncoder().encode(`{}\n${theirs}`);
        const both = new Uint8Array(Math.max(over.length, data.length));
        both.set(over);
        both.set(data);
        await write(path, both);
      };
      await d.write('/w/log.jsonl', writing.add, mine);
      assert.equal(d.host.text('/w/log.jsonl'), `{}\n${mine}`);
    }
  });

  it('takes a line away, and not what was written after it meanwhile', async () => {
    const d = disk();
    const [mine, next] = ['{"body":"mine"}\n', '{"body":"next"}\n'];
    d.host.put('/w/log.jsonl', '{}\n');
    let writes = 0;
    d.host.between = () => writes++;
    const read = d.host.readFile.bind(d.host);
    let reads = 0;
    d.host.readFile = async (path) => {
      if (++reads === 3) d.host.put(path, `{}\n${mine}end"}\n`);
      if (reads === 4) d.host.put(path, `{}\n${mine}end"}\n${next}`);
      return read(path);
    };
    await d.write('/w/log.jsonl', writing.add, mine);
    assert.equal(d.host.text('/w/log.jsonl'), `{}\n${mine}${next}`);
    assert.equal(writes, 2);
  });

  it("keeps another program's line that is no record", async () => {
    const d = disk();
    for (const theirs of ['not a record\n', '{"body":"whole"}\n', '7\n', '{"body":"half', 'x [}]\n']) {
      d.host.put('/w/log.jsonl', '{}\n');
      d.host.watch = (path) => {
        d.host.watch = undefined;
        d.host.put(path, `${d.host.text(path)}${theirs}`);
      };
      await d.write('/w/log.jsonl', writing.add, '{"body":"mine"}\n');
      assert.equal(d.host.text('/w/log.jsonl'), `{}\n{"body":"mine"}\n${theirs}`);
    }
  });

  it('finds what it added where another writer took a line away', async () => {
    const d = disk();
    d.host.put('/w/log.jsonl', '{}\nend"}\n');
    const read = d.host.readFile.bind(d.host);
    let reads = 0;
    d.host.readFile = async (path) => {
      if (++reads === 3) d.host.put(path, '{}\n{"body":"mine"}\n');
      return read(path);
    };
    await d.write('/w/log.jsonl', writing.add, '{"body":"mine"}\n');
    assert.equal(d.host.text('/w/log.jsonl'), '{}\n{"body":"mine"}\n');
  });

  it('takes a log that another writer has emptied to overwrite it for no empty one', async () => {
    const d = disk();
    d.host.put('/w/log.jsonl', '');
    d.pause(() => d.host.put('/w/log.jsonl', '{}\n{"body":"theirs"}\n'));
    d.host.between = () => assert.fail('it was overwritten');
    await assert.rejects(d.write('/w/log.jsonl', writing.add, '{"body":"mine"}\n'), { code: 'ESTALE' });
    assert.equal(d.host.text('/w/log.jsonl'), '{}\n{"body":"theirs"}\n');
  });

  it('makes a file only if nobody else does, and leaves nothing behind', async () => {
    const d = disk();
    d.host.folder('/w');
    await d.write('/w/made', writing.make, 'mine');
    assert.equal(await d.read('/w/made'), 'mine');
    await assert.rejects(d.write('/w/made', writing.make, 'again'), { code: 'EEXIST' });
    d.host.between = (path) => {
      d.host.between = undefined;
      if (path !== '/w/race') d.host.put('/w/race', 'theirs');
    };
    await assert.rejects(d.write('/w/race', writing.make, 'mine'), { code: 'EEXIST' });
    assert.equal(d.host.text('/w/race'), 'theirs');
    assert.deepEqual([...d.host.nodes.keys()], ['/w', '/w/made', '/w/race']);
  });

  it('shows what is being written before it is saved', async () => {
    const d = disk();
    d.host.folder('/own/state');
    const fd = await d.open('/own/state/f', writing.make);
    await d.call('write', fd, new TextEncoder().encode('half'), 0, 4, null);
    assert.equal((await d.stat('/own/state/f')).size, 4);
    await d.call('ftruncate', fd, 2);
    await d.call('close', fd);
    assert.equal(d.host.text('/own/state/f'), 'ha');
  });

  it('renames over, removes and makes folders', async () => {
    const d = disk(600_000);
    d.host.put('/w/a', 'new');
    d.host.put('/w/b', 'old');
    await d.read('/w/b');
    await d.call('rename', '/w/a', '/w/b');
    assert.equal(await d.read('/w/b'), 'new');
    await assert.rejects(d.stat('/w/a'), { code: 'ENOENT' });
    await d.call('mkdir', '/w/dir', 0o700);
    await assert.rejects(d.call('mkdir', '/w/dir', 0o700), { code: 'EEXIST' });
    await d.write('/w/dir/f', writing.make, 'x');
    await assert.rejects(d.call('rmdir', '/w/dir'), { code: 'ENOTEMPTY' });
    await d.call('unlink', '/w/dir/f');
    await d.call('rmdir', '/w/dir');
    await assert.rejects(d.stat('/w/dir'), { code: 'ENOENT' });
  });
});
