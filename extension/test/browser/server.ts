// The native program and the module of the browser, each as a client sees it. The module runs in
// the Worker's own program, as it is shipped, over files in memory. The Worker is Node's, or that of
// Chromium if SIGNALBOX_WORKER says so.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Host } from '../../src/browser/host';
import type { FromWorker, ToWorker } from '../../src/browser/worker';
import { chromiumWorker } from './chromium';
import type { MemoryHost } from './memoryHost';

export const root = join(import.meta.dirname, '../../..');
export const native = join(root, 'bin/signalbox');

/** A connection that sends requests and keeps the JSON of the answers. */
export class Client {
  readonly notified: string[] = [];
  readonly #waiting = new Map<number, (answer: string) => void>();
  readonly #send: (frame: Uint8Array) => void;
  readonly end: () => Promise<unknown>;
  #id = 0;
  #bytes: Buffer = Buffer.alloc(0);

  constructor(send: (frame: Uint8Array) => void, end: () => Promise<unknown>) {
    this.#send = send;
    this.end = end;
  }

  take(bytes: Uint8Array): void {
    this.#bytes = Buffer.concat([this.#bytes, bytes]);
    for (;;) {
      const head = this.#bytes.indexOf('\r\n\r\n');
      const length = Number(
        /content-length: *(\d+)/i.exec(this.#bytes.toString('latin1', 0, Math.max(head, 0)))?.[1],
      );
      if (head < 0 || this.#bytes.length < head + 4 + length) return;
      const body = this.#bytes.toString('utf8', head + 4, head + 4 + length);
      this.#bytes = this.#bytes.subarray(head + 4 + length);
      const message = JSON.parse(body) as { id?: number; method?: string };
      if (message.method === undefined) this.#waiting.get(message.id ?? 0)?.(body);
      else if (message.id === undefined) this.notified.push(message.method);
      else this.#post({ jsonrpc: '2.0', id: message.id, result: null });
    }
  }

  #post(message: unknown): void {
    const body = Buffer.from(JSON.stringify(message));
    this.#send(Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]));
  }

  notify(method: string, params: unknown): void {
    this.#post({ jsonrpc: '2.0', method, params });
  }

  /** Returns the JSON of the answer as it came, without its id. */
  async raw(method: string, params: unknown): Promise<string> {
    const id = ++this.#id;
    const answer = new Promise<string>((done) => this.#waiting.set(id, done));
    this.#post({ jsonrpc: '2.0', id, method, params });
    return (await answer).replace(`"id":${id}`, '"id":0');
  }

  async call<T>(method: string, params: unknown): Promise<T> {
    const { result, error } = JSON.parse(await this.raw(method, params)) as {
      result: T;
      error?: { message: string };
    };
    if (error !== undefined) throw new Error(error.message);
    return result;
  }

  /** Opens a folder, and waits until the server is initialized. */
  async begin(folder: string, settings: object): Promise<void> {
    const uri = `file://${folder}`;
    const capabilities = {
      experimental: {
        signalbox: {
          min: 1,
          max: 1,
          features: ['inbox', 'thread', 'compose', 'link', 'read', 'agents', 'tasks'],
        },
      },
    };
    const workspaceFolders = [{ uri, name: 'folder' }];
    await this.call('initialize', {
      processId: null,
      rootUri: uri,
      capabilities,
      workspaceFolders,
      initializationOptions: settings,
    });
    this.notify('initialized', {});
  }

  /** Waits until everything was read once. */
  async settled(): Promise<void> {
    for (;;) {
      const { indexing } = await this.call<{ indexing: boolean }>('signalbox/status', {});
      if (!indexing) return;
      await pause(10);
    }
  }

  async start(folder: string, settings: object): Promise<void> {
    await this.begin(folder, settings);
    await this.settled();
  }
}

export function nativeServer(env: Record<string, string>, ...flags: string[]): Client {
  const child = spawn(native, ['lsp', ...flags], { stdio: ['pipe', 'pipe', 'inherit'], env });
  const ended = new Promise((done) => child.on('exit', done));
  const client = new Client(
    (frame) => child.stdin.write(frame),
    () => {
      child.stdin.end();
      return ended;
    },
  );
  child.stdout.on('data', (bytes: Uint8Array) => client.take(bytes));
  return client;
}

export interface Module {
  readonly client: Client;
  /** Everything that the program reported, in words. */
  readonly log: () => string;
}

export function moduleServer(
  host: Host & Partial<Pick<MemoryHost, 'watch'>>,
  options: { env: Record<string, string>; work: string; watches?: boolean; keepMillis?: number },
): Module {
  const program = readFileSync(join(root, 'extension/dist/browser/worker.js'), 'utf8');
  let log = '';
  const took = (message: FromWorker): void => {
    if ('output' in message && message.stream === 'stdout') client.take(message.output);
    else if ('output' in message) log += new TextDecoder().decode(message.output);
    else if ('ask' in message)
      (host[message.operation] as (...args: unknown[]) => Promise<unknown>)
        .apply(host, [...message.args])
        .then(
          (value) => post({ answer: message.ask, value }),
          (error: unknown) => post({ answer: message.ask, code: String((error as { code?: unknown }).code) }),
        );
  };
  const start = process.env['SIGNALBOX_WORKER'] === 'chromium' ? chromiumWorker : nodeWorker;
  const { post, end } = start(program, took);
  const client = new Client((frame) => post({ input: new Uint8Array(frame) }), end);
  const { watches = true, keepMillis = watches ? 600_000 : 2500 } = options;
  if (watches) host.watch = (path, kind) => post({ changed: [[path, kind]] });
  const module = new Uint8Array(readFileSync(join(root, 'bin/signalbox-browser.wasm.gz')));
  const support = readFileSync(join(root, 'bin/wasm_exec.js'), 'utf8');
  post({ start: { module, support, env: options.env, work: options.work, watches, keepMillis } });
  return { client, log: () => log };
}

/** A Worker: how it is written to, and how it ends. */
export interface Running {
  readonly post: (message: ToWorker) => void;
  readonly end: () => Promise<unknown>;
}

function nodeWorker(program: string, took: (message: FromWorker) => void): Running {
  const prelude = `const { parentPort } = require('node:worker_threads');
    globalThis.self = { postMessage: (message) => parentPort.postMessage(message) };
    parentPort.on('message', (data) => self.onmessage({ data }));`;
  const worker = new Worker(`${prelude}${program}`, { eval: true });
  worker.on('message', took);
  return { post: (message) => worker.postMessage(message), end: () => worker.terminate() };
}

/** Puts a folder of the disk into memory, under its own path. */
export function loadTree(host: MemoryHost, folder: string): void {
  host.folder(folder);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) loadTree(host, path);
    else if (entry.isFile()) host.put(path, readFileSync(path), Math.trunc(statSync(path).mtimeMs));
  }
}

export const pause = (millis: number): Promise<void> => new Promise((done) => setTimeout(done, millis));

/** Returns a line of a log. */
export function line(number: number, from: string, to: string, thread: string, body: string): string {
  const id = number.toString(16).padStart(16, '0');
  return `${JSON.stringify({ id, ts: 1_795_000_000 + number, from, to, thread, body })}\n`;
}

/** Puts so many messages into 20 logs of a folder. */
export function fill(host: MemoryHost, mail: string, messages: number): void {
  const logs = new Map<string, string[]>();
  for (let i = 0; i < messages; i++) {
    const from = `agent${i % 20}`;
    const lines = logs.get(from) ?? [];
    lines.push(line(i, from, 'dev', `thread-${i % 500}`, `Message ${i}`));
    logs.set(from, lines);
  }
  for (const [from, lines] of logs) host.put(`${mail}/log-${from}.jsonl`, lines.join(''));
  host.folder('/.signalbox');
}

/** Waits until a list holds a text, and returns how long it took in ms. */
export async function listed({ client, log }: Module, text: string, most = 20_000): Promise<number> {
  const started = performance.now();
  while (!(await client.raw('signalbox/inbox/list', { limit: 200 })).includes(text)) {
    assert.ok(performance.now() - started < most, `${text} is not listed: ${log()}`);
    await pause(20);
  }
  return performance.now() - started;
}
