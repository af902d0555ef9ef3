import { abi, limits, ops } from './abi.js';
import type { OpName } from './abi.js';
import { Atsf } from './atsf.js';
import { Ops } from './caller.js';
import { Agn, Amp, Render, Samp } from './calls.js';
import { compile } from './compile.js';
import type { Source } from './compile.js';
import { SignalboxError } from './error.js';
import { Instance } from './instance.js';
import { encode } from './json.js';
import type { Bytes } from './json.js';
import { Mailbox } from './mail.js';
import type { Info } from './types.js';

/** Limits of a core. Sizes are in bytes. */
export interface Options {
  /** How long both arguments of a call may be together. Default 64 MiB, at most 256 MiB. */
  readonly maxInput?: number;
  /**
   * The linear memory that an instance may reach. A call that needs more fails
   * with Trap. Default 1 GiB, at most 2 GiB less a page. It is set when the module
   * is compiled: one that is compiled already keeps the limit that it has.
   */
  readonly maxMemory?: number;
  /**
   * The linear memory up to which an instance is used again. A larger one is
   * replaced, since the memory of an instance never shrinks. Default 64 MiB.
   */
  readonly keepMemory?: number;
  /** The least minor version of the ABI that the module must have. Default: this package's. */
  readonly minor?: number;
}

/** What a core did with its instances. */
export interface Stats {
  readonly created: number;
  /** The instances thrown away because they trapped or had grown beyond keepMemory. */
  readonly discarded: number;
  /** The linear memory of the instance that waits for a call, in bytes. */
  readonly memory: number;
}

/**
 * Compiles the module and starts an instance, to see that it works and speaks
 * this package's ABI. Errors are SignalboxErrors: BadModule, or Trap if the
 * instance does not start, for instance because maxMemory is too small.
 */
export async function load(source: Source, options: Options = {}): Promise<Core> {
  const module = await compile(source, options.maxMemory);
  const instance = await Instance.start(module);
  instance.checkVersion(options.minor ?? abi.minor);
  return new Core(module, instance, options);
}

/**
 * The protocol core in an instance of the module. Calls are synchronous, so a
 * page runs a core in a worker, and a program that wants several at a time has
 * several workers, each with a core of the same compiled module. After a trap the
 * next call runs in a fresh instance. Texts of files and messages are a
 * stranger's: they are not safe to show as they are, and render makes them safe.
 */
export class Core {
  /** The compiled module, to be sent to a worker. */
  readonly module: WebAssembly.Module;
  readonly samp: Samp;
  readonly atsf: Atsf;
  readonly agn: Agn;
  readonly amp: Amp;
  readonly mail: Mailbox;
  readonly render: Render;
  readonly #maxInput: number;
  readonly #keepMemory: number;
  #instance: Instance | undefined;
  #created = 1;
  #discarded = 0;
  #closed = false;

  /** @internal Use load. */
  constructor(module: WebAssembly.Module, instance: Instance, options: Options) {
    this.module = module;
    this.#instance = instance;
    this.#maxInput = Math.min(options.maxInput ?? 64 << 20, limits.maxInput);
    this.#keepMemory = options.keepMemory ?? 64 << 20;
    this.samp = new Samp(this);
    this.atsf = new Atsf(this);
    this.agn = new Agn(this);
    this.amp = new Amp(this);
    this.mail = new Mailbox(this);
    this.render = new Render(this);
  }

  /**
   * Runs an op, by name or number, over its two arguments, which wasm/README.md
   * shows: JSON or nothing, and bytes, in parts where that saves a copy. The
   * result is the caller's. Errors are SignalboxErrors.
   */
  call(op: OpName | number, params: Bytes = '', input: Bytes | readonly Bytes[] = ''): Uint8Array {
    const number = typeof op === 'number' ? op : ops[op];
    const name = typeof op === 'number' ? nameOf(op) : op;
    if (this.#closed) throw new SignalboxError('Closed', 'the core was closed', { op: name });
    const first = encode(name, params);
    const rest = (isList(input) ? input : [input]).map((part) => encode(name, part));
    if (rest.reduce((sum, part) => sum + part.length, first.length) > this.#maxInput) {
      throw new SignalboxError('TooLarge', "the input is larger than the host's limit", { op: name });
    }
    const instance = this.#take();
    let sound = true;
    try {
      return instance.call(number, name, first, rest);
    } catch (error) {
      sound = error instanceof SignalboxError && error.code !== 'Trap';
      throw error;
    } finally {
      if (!sound || instance.memorySize > this.#keepMemory) this.#discard();
    }
  }

  /** Returns the module's ABI and the ops that it has. */
  info(): Info {
    return new Ops(this).json('info');
  }

  /** What the core did with its instances. */
  get stats(): Stats {
    return { created: this.#created, discarded: this.#discarded, memory: this.#instance?.memorySize ?? 0 };
  }

  /** Releases the instance. Later calls fail with Closed. */
  close(): void {
    this.#closed = true;
    this.#instance = undefined;
  }

  #take(): Instance {
    if (this.#instance === undefined) {
      this.#instance = Instance.startNow(this.module);
      this.#created++;
    }
    return this.#instance;
  }

  #discard(): void {
    this.#instance = undefined;
    this.#discarded++;
  }
}

const names: ReadonlyMap<number, string> = new Map(Object.entries(ops).map(([name, op]) => [op, name]));

function nameOf(op: number): string {
  return names.get(op) ?? `op ${op}`;
}

function isList(input: Bytes | readonly Bytes[]): input is readonly Bytes[] {
  return Array.isArray(input);
}
