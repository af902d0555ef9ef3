// The Worker in which the server runs. Its program, Go's own support script and the module come
// from the extension host, which also has the files.

import { Files } from './fs';
import type { Host } from './host';

/** What the extension host sends. */
export type ToWorker =
  | { readonly start: Start }
  | { readonly input: Uint8Array }
  | { readonly changed: readonly (readonly [path: string, kind: number])[] }
  | { readonly keepMillis: number }
  | { readonly answer: number; readonly value?: unknown; readonly code?: string };

/** What the worker sends: bytes of a stream, a question to the host, or its end. */
export type FromWorker =
  | { readonly output: Uint8Array; readonly stream: 'stdout' | 'stderr' }
  | { readonly ask: number; readonly operation: keyof Host; readonly args: readonly unknown[] }
  | { readonly exited: number };

export interface Start {
  readonly module: ReadableStream<Uint8Array<ArrayBuffer>> | Uint8Array<ArrayBuffer>; // packed with gzip
  readonly support: string; // wasm_exec.js
  readonly env: Record<string, string>;
  readonly work: string;
  readonly watches: boolean;
  readonly keepMillis: number;
  /** Folders to read before the program asks for them, with how many levels. */
  readonly ahead?: readonly (readonly [path: string, levels: number])[];
}

interface GoProgram {
  env: Record<string, string>;
  argv: string[];
  exit: (code: number) => void;
  importObject: WebAssembly.Imports;
  run(instance: WebAssembly.Instance): Promise<void>;
}

const longest = 64 << 20;
const home = '/.signalbox';

/** Runs the server. `post` sends to the extension host; the returned function takes its messages. */
export function serve(post: (message: FromWorker) => void): (message: ToWorker) => void {
  const answers = new Map<number, [(value: unknown) => void, (error: unknown) => void]>();
  let asked = 0;
  const ask =
    (operation: keyof Host) =>
    (...args: unknown[]) =>
      new Promise<never>((resolve, reject) => {
        answers.set(++asked, [resolve as (value: unknown) => void, reject]);
        post({ ask: asked, operation, args });
      });
  const host: Host = {
    stat: ask('stat'),
    readDirectory: ask('readDirectory'),
    readFile: ask('readFile'),
    writeFile: ask('writeFile'),
    delete: ask('delete'),
    rename: ask('rename'),
    copy: ask('copy'),
    createDirectory: ask('createDirectory'),
  };
  let keepMillis = 0;
  const files = new Files(host, {
    now: () => performance.now() + performance.timeOrigin,
    keepMillis: () => keepMillis,
    longest,
    mostCached: longest,
    isOwn: (path) => path.startsWith(`${home}/`),
    sleep: (millis) => new Promise((done) => setTimeout(done, millis)),
    random: () => crypto.randomUUID().slice(0, 8),
  });
  const input = new Input();
  const scope = globalThis as unknown as Record<string, unknown> & {
    signalboxChanged?: (path: string, kind: number) => void;
  };

  const start = async ({ module, support, env, work, watches }: Start): Promise<void> => {
    const functions = files.functions() as Record<string, (...args: never[]) => void>;
    const output = (fd: number, bytes: Uint8Array): number => {
      post({ output: bytes, stream: fd === 1 ? 'stdout' : 'stderr' });
      return bytes.length;
    };
    // Go's support script uses these globals if they are defined.
    define('fs', {
      ...functions,
      writeSync: (fd: number, bytes: Uint8Array) => output(fd, bytes.slice()),
      write: (fd: number, ...args: never[]) => {
        const [bytes, offset, length, , done] = args as unknown as [
          Uint8Array,
          number,
          number,
          null,
          (e: null, n: number) => void,
        ];
        if (fd > 2) functions['write']?.(fd as never, ...args);
        else done(null, output(fd, bytes.slice(offset, offset + length)));
      },
      read: (fd: number, ...args: never[]) => {
        if (fd === 0) input.read(...(args as unknown as Parameters<Input['read']>));
        else functions['read']?.(fd as never, ...args);
      },
    });
    const ids = { getuid: () => 0, getgid: () => 0, geteuid: () => 0, getegid: () => 0, getgroups: () => [] };
    define('process', {
      ...ids,
      pid: 1,
      ppid: 1,
      umask: () => 0o077,
      cwd: () => work,
      chdir: () => undefined,
    });
    define('path', { resolve: (...parts: string[]) => parts.join('/') });
    scope['signalboxWatches'] = watches;
    (0, eval)(support);
    const go = new (scope['Go'] as new () => GoProgram)();
    go.env = env;
    go.argv = ['signalbox'];
    let code = 0;
    go.exit = (status) => (code = status);
    const unpacked = new Response(module).body?.pipeThrough(new DecompressionStream('gzip'));
    // It is compiled while it is unpacked.
    const wasm = new Response(unpacked, { headers: { 'Content-Type': 'application/wasm' } });
    const { instance } = await WebAssembly.instantiateStreaming(wasm, go.importObject);
    await go.run(instance);
    post({ exited: code });
  };

  return (message) => {
    if ('answer' in message) {
      const [resolve, reject] = answers.get(message.answer) ?? [];
      answers.delete(message.answer);
      if (message.code === undefined) resolve?.(message.value);
      else reject?.({ code: message.code });
    } else if ('changed' in message) {
      for (const [path, kind] of message.changed) {
        files.cache.changed(path, kind);
        scope.signalboxChanged?.(path, kind);
      }
    } else if ('input' in message) input.add(message.input);
    else if ('keepMillis' in message) keepMillis = message.keepMillis;
    else {
      keepMillis = message.start.keepMillis;
      files.cache.readAhead(message.start.ahead ?? []);
      start(message.start).catch((error: unknown) => {
        post({ output: new TextEncoder().encode(`${String(error)}\n`), stream: 'stderr' });
        post({ exited: 1 });
      });
    }
  };
}

/** The program's standard input. */
class Input {
  #bytes: Uint8Array[] = [];
  #waiting: (() => void) | undefined;

  add(bytes: Uint8Array): void {
    this.#bytes.push(bytes);
    this.#waiting?.();
  }

  read(
    into: Uint8Array,
    offset: number,
    length: number,
    position: null,
    done: (error: null, count: number) => void,
  ): void {
    const first = this.#bytes[0];
    if (first === undefined) {
      this.#waiting = () => this.read(into, offset, length, position, done);
      return;
    }
    this.#waiting = undefined;
    const part = first.subarray(0, length);
    into.set(part, offset);
    if (part.length === first.length) this.#bytes.shift();
    else this.#bytes[0] = first.subarray(part.length);
    done(null, part.length);
  }
}

function define(name: string, value: unknown): void {
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
}
