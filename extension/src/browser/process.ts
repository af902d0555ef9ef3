// One run of the server in a Worker. In a browser this file replaces src/server/process.ts.

import * as vscode from 'vscode';
import {
  BaseLanguageClient,
  BrowserMessageReader,
  BrowserMessageWriter,
  type LanguageClientOptions,
  type MessageTransports,
} from 'vscode-languageclient/browser';
import type { Exit } from '../server/process';
import { changeKinds, type Host } from './host';
import { home, type Workspace } from './workspace';
import type { FromWorker, Start, ToWorker } from './worker';

export interface Place {
  readonly workspace: Workspace;
  readonly extension: vscode.Uri;
  readonly version: string;
  /** The folders in which mail was found. They are read while the program still loads. */
  readonly ahead: () => NonNullable<Start['ahead']>;
}

let place: Place | undefined;
let parts: Parts | undefined;

/** The files of a run, while they load. */
interface Parts {
  readonly program: Promise<Blob>;
  readonly support: Promise<string>;
  readonly module: Promise<ReadableStream<Uint8Array<ArrayBuffer>>>;
}

/** Sets the place, and begins to read the files of the first run, which take long to load. */
export function usePlace(one: Place): void {
  place = one;
  parts = readParts(one.extension);
}

function readParts(extension: vscode.Uri): Parts {
  const read = (name: string): Promise<Response> =>
    fetched(vscode.Uri.joinPath(extension, 'dist/browser', name));
  const all = {
    program: read('worker.js').then((response) => response.blob()),
    support: read('wasm_exec.js').then((response) => response.text()),
    module: read('signalbox-browser.wasm.gz').then(({ body }) => body ?? never()),
  };
  for (const part of Object.values(all)) part.catch(() => undefined); // the run reports it
  return all;
}

/** Reads a file of the extension from its server if that allows it, or else through the editor. */
async function fetched(uri: vscode.Uri): Promise<Response> {
  const response = await fetch(uri.toString()).catch(() => undefined);
  if (response?.ok === true) return response;
  return new Response(new Uint8Array(await vscode.workspace.fs.readFile(uri)));
}

/** What the client of the language server reads from and writes to. */
interface Port {
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  postMessage(message: unknown): void;
  /** The library listens for errors, but a stream of frames has none. */
  addEventListener(): void;
}

export class Client extends BaseLanguageClient {
  readonly #port: Port;

  constructor(id: string, name: string, port: Port, options: LanguageClientOptions) {
    super(id, name, options);
    this.#port = port;
  }

  protected override createMessageTransports(): Promise<MessageTransports> {
    const port = this.#port as unknown as MessagePort;
    return Promise.resolve({
      reader: new BrowserMessageReader(port),
      writer: new BrowserMessageWriter(port),
    });
  }
}

export function findServer(): { found: true; command: string; origin: string } {
  return { found: true, command: 'signalbox-browser.wasm.gz', origin: 'in this window' };
}

export function folderUri(path: string): string {
  return vscode.Uri.file(path).toString();
}

/** How long an answer about a file is used again, in ms: with events, and without. */
const keptWithEvents = 600_000;
const keptWithout = 2_000;
/** The same without events, while the window does not have the focus. */
const keptUnseen = 60_000;

export function startProcess(
  _command: string,
  log: vscode.LogOutputChannel,
): {
  exited: Promise<Exit>;
  transport: Port;
  options: LanguageClientOptions;
  kill: () => void;
  end: () => void;
} {
  const { workspace, extension, version, ahead } = place ?? never();
  const host = workspace.host();
  let ended: (exit: Exit) => void = never;
  const exited = new Promise<Exit>((done) => (ended = done));
  let worker: Worker | undefined;
  let url = '';
  const waiting: ToWorker[] = [];
  const post = (message: ToWorker): void => {
    if (worker === undefined) waiting.push(message);
    else worker.postMessage(message);
  };
  let errors = '';
  const watches = workspace.reports();
  const watcher = vscode.Disposable.from(
    workspace.watch((path, kind) => post({ changed: [[path, kind]] })),
    vscode.window.onDidChangeWindowState(({ focused }) => {
      if (!watches) post({ keepMillis: focused ? keptWithout : keptUnseen });
    }),
  );
  const end = (code: number | null, signal: string | null): void => {
    watcher.dispose();
    worker?.terminate();
    URL.revokeObjectURL(url);
    ended({ code, signal, stderr: errors.trim() });
  };
  const port: Port = {
    onmessage: null,
    addEventListener: () => undefined,
    postMessage: (message) => post({ input: framed(message) }),
  };
  const frames = new Frames((message) => port.onmessage?.({ data: message }));
  const receive = (message: FromWorker): void => {
    if ('exited' in message) end(message.exited, null);
    else if ('ask' in message) void answer(host, message, post);
    else if (message.stream === 'stdout') frames.add(message.output);
    else {
      const text = new TextDecoder().decode(message.output);
      errors = (errors + text).slice(-2_000);
      log.info(`server: ${text.trimEnd()}`);
    }
  };
  const start = async (): Promise<void> => {
    const read = parts ?? readParts(extension);
    parts = undefined;
    // The editor's own program loads it when the Worker starts, which is after this.
    url = URL.createObjectURL(new Blob([await read.program], { type: 'text/javascript' }));
    worker = new Worker(url, { name: 'signalbox' });
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => receive(data);
    worker.onerror = ({ message }) => {
      errors += message;
      end(1, null);
    };
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const env = { HOME: home, TZ: zone, SIGNALBOX_VERSION: version };
    const work = workspace.folders[0] ?? home;
    const keepMillis = watches ? keptWithEvents : keptWithout;
    const support = await read.support;
    const module = await read.module;
    const begin = (one: Start['module'], moved: Transferable[]): void =>
      worker?.postMessage(
        {
          start: { module: one, support, env, work, watches, keepMillis, ahead: ahead() },
        } satisfies ToWorker,
        moved,
      );
    try {
      begin(module, [module]);
    } catch {
      // Not every browser can transfer a stream.
      begin(new Uint8Array(await new Response(module).arrayBuffer()), []);
    }
    for (const message of waiting.splice(0)) worker.postMessage(message);
  };
  start().catch((error: unknown) => {
    errors = String(error);
    end(1, null);
  });
  const uriConverters = {
    code2Protocol: (uri: vscode.Uri) => vscode.Uri.file(workspace.pathOf(uri)).toString(),
    protocol2Code: (value: string) => workspace.uriOf(vscode.Uri.parse(value).path),
  };
  return {
    exited,
    transport: port,
    options: { uriConverters },
    kill: () => end(null, 'SIGKILL'),
    end: () => end(0, null),
  };
}

async function answer(
  host: Host,
  { ask, operation, args }: Extract<FromWorker, { readonly ask: number }>,
  post: (message: ToWorker) => void,
): Promise<void> {
  try {
    const run = host[operation].bind(host) as (...args: readonly unknown[]) => Promise<unknown>;
    post({ answer: ask, value: await run(...args) });
    const [path, to] = args.map(String);
    // The editor reports its own writes late, or not at all.
    if (operation === 'writeFile' && path !== undefined) post({ changed: [[path, changeKinds.changed]] });
    if ((operation === 'rename' || operation === 'copy') && to !== undefined)
      post({ changed: [[to, changeKinds.created]] });
  } catch (error) {
    post({ answer: ask, code: String((error as { code?: unknown } | undefined)?.code) });
  }
}

function framed(message: unknown): Uint8Array {
  const body = new TextEncoder().encode(JSON.stringify(message));
  const head = new TextEncoder().encode(`Content-Length: ${body.length}\r\n\r\n`);
  const frame = new Uint8Array(head.length + body.length);
  frame.set(head);
  frame.set(body, head.length);
  return frame;
}

/** Reads the messages from a stream of frames. */
export class Frames {
  readonly #message: (message: unknown) => void;
  #bytes = new Uint8Array();

  constructor(message: (message: unknown) => void) {
    this.#message = message;
  }

  add(more: Uint8Array): void {
    const all = new Uint8Array(this.#bytes.length + more.length);
    all.set(this.#bytes);
    all.set(more, this.#bytes.length);
    this.#bytes = all;
    for (;;) {
      const head = /^[^]*?\r\n\r\n/.exec(new TextDecoder('latin1').decode(this.#bytes.subarray(0, 256)))?.[0];
      const length = Number(/content-length: *(\d+)/i.exec(head ?? '')?.[1]);
      if (head === undefined || this.#bytes.length < head.length + length) return;
      const body = this.#bytes.subarray(head.length, head.length + length);
      this.#bytes = this.#bytes.slice(head.length + length);
      this.#message(JSON.parse(new TextDecoder().decode(body)));
    }
  }
}

function never(): never {
  throw new Error('the browser has no place yet');
}
