import type { OpName } from './abi.js';
import { load } from './core.js';
import type { Core, Options } from './core.js';
import { SignalboxError } from './error.js';
import type { Bytes } from './json.js';

/** One end of the connection between a page and its worker, in browsers. */
interface WebPort {
  postMessage(message: unknown): void;
  addEventListener(type: 'message' | 'error', listener: (event: Event) => void): void;
}

/** The same in Node: a Worker, or parentPort in it. */
interface NodePort {
  postMessage(message: unknown): void;
  on(type: 'message' | 'error', listener: (value: unknown) => void): unknown;
}

/** The port for serve: self in a worker of a page, parentPort in a worker of Node. */
export type Port = WebPort | NodePort;

/** A worker of a page or of Node. */
export type RemoteWorker = Port & { terminate(): unknown };

/** Limits of a remote core: the limits of a core, and times in milliseconds. */
export interface RemoteOptions extends Options {
  /** How long one call may take. Default 10 s. */
  readonly timeout?: number;
  /** How long a worker may take to start. Default 30 s. */
  readonly startTimeout?: number;
}

type Request =
  | { readonly module: WebAssembly.Module; readonly options: Options }
  | { readonly op: OpName | number; readonly params: Bytes; readonly input: Bytes };

interface Answer {
  readonly result?: Uint8Array;
  readonly error?: Pick<SignalboxError, 'code' | 'rule' | 'op' | 'message'>;
}

/** Answers a Remote. The program of its worker needs to call nothing else. */
export function serve(port: Port): void {
  let core: Core | undefined;
  listen(port, 'message', (request) => {
    void answer(request as Request).then((reply) => {
      port.postMessage(reply);
    });
  });

  async function answer(request: Request): Promise<Answer> {
    try {
      if ('module' in request) {
        core = await load(request.module, request.options);
        return {};
      }
      if (core === undefined) throw new SignalboxError('Internal', 'the worker was not started');
      return { result: core.call(request.op, request.params, request.input) };
    } catch (error) {
      const known = error instanceof SignalboxError ? error : new SignalboxError('Trap', String(error));
      return { error: { code: known.code, rule: known.rule, op: known.op, message: known.message } };
    }
  }
}

/**
 * A core in a worker, for calls that must end in time: one that takes too long
 * fails with Timeout, its worker is ended, and the next call runs in a new worker.
 * Calls run one after the other, in order.
 */
export class Remote {
  readonly #spawn: () => RemoteWorker;
  readonly #module: WebAssembly.Module;
  readonly #options: RemoteOptions;
  #worker: RemoteWorker | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  /** Ends the wait for an answer. */
  #settle: ((answer: Answer | SignalboxError) => void) | undefined;
  #created = 0;
  #closed = false;

  /** `spawn` makes a worker that calls serve; the module comes from compile. */
  constructor(spawn: () => RemoteWorker, module: WebAssembly.Module, options: RemoteOptions = {}) {
    this.#spawn = spawn;
    this.#module = module;
    this.#options = options;
  }

  /** Runs an op as Core.call does. Errors are SignalboxErrors. */
  call(op: OpName | number, params: Bytes = '', input: Bytes = ''): Promise<Uint8Array> {
    const turn = this.#queue.then(() => this.#run(op, params, input));
    this.#queue = turn.catch(() => undefined);
    return turn;
  }

  /** How many workers were made. */
  get created(): number {
    return this.#created;
  }

  /** Ends the worker. Waiting and later calls fail with Closed. */
  close(): void {
    this.#closed = true;
    this.#discard(new SignalboxError('Closed', 'the core was closed'));
  }

  async #run(op: OpName | number, params: Bytes, input: Bytes): Promise<Uint8Array> {
    if (this.#closed) throw new SignalboxError('Closed', 'the core was closed', { op: String(op) });
    const worker = this.#worker ?? (await this.#start());
    const { result } = await this.#ask(worker, { op, params, input }, this.#options.timeout ?? 10_000);
    if (result === undefined) throw new SignalboxError('Internal', 'the worker gave no result');
    return result;
  }

  async #start(): Promise<RemoteWorker> {
    const worker = this.#spawn();
    this.#worker = worker;
    this.#created++;
    // A worker that was ended may still answer.
    listen(worker, 'message', (answer) => {
      if (this.#worker === worker) this.#settle?.(answer as Answer);
    });
    listen(worker, 'error', (cause) => {
      if (this.#worker === worker) this.#discard(new SignalboxError('Trap', 'the worker stopped', { cause }));
    });
    const { maxInput, maxMemory, keepMemory, minor } = this.#options;
    const given = Object.entries({ maxInput, maxMemory, keepMemory, minor }).filter(
      ([, v]) => v !== undefined,
    );
    const start = { module: this.#module, options: Object.fromEntries(given) as Options };
    try {
      await this.#ask(worker, start, this.#options.startTimeout ?? 30_000);
    } catch (error) {
      this.#discard(); // a worker that did not start is not asked again
      throw error;
    }
    return worker;
  }

  #ask(worker: RemoteWorker, request: Request, millis: number): Promise<Answer> {
    return new Promise<Answer>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#discard(new SignalboxError('Timeout', `the call took longer than ${millis} ms`));
      }, millis);
      this.#settle = (answer) => {
        clearTimeout(timer);
        this.#settle = undefined;
        if (answer instanceof SignalboxError) reject(answer);
        else if (answer.error === undefined) resolve(answer);
        else reject(new SignalboxError(answer.error.code, answer.error.message, answer.error));
      };
      worker.postMessage(request);
    });
  }

  #discard(error?: SignalboxError): void {
    const worker = this.#worker;
    this.#worker = undefined;
    void worker?.terminate();
    if (error !== undefined) this.#settle?.(error);
  }
}

function listen(port: Port, type: 'message' | 'error', receive: (value: unknown) => void): void {
  if ('on' in port) {
    port.on(type, receive);
    return;
  }
  port.addEventListener(type, (event) => {
    receive(type === 'message' ? (event as MessageEvent<unknown>).data : event);
  });
}
