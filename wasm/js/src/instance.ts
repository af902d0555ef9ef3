import { abi, codes, importModule } from './abi.js';
import type { Code } from './abi.js';
import { bad } from './compile.js';
import { SignalboxError } from './error.js';
import { Wasi } from './wasi.js';

interface Exports extends WebAssembly.Exports {
  memory: WebAssembly.Memory;
  _initialize: () => void;
  in: (n: number) => number;
  call: (op: number, n1: number, n2: number) => bigint;
  abi: () => number;
}

/** One instance of the module. It serves one call at a time, and is not used again after a trap. */
export class Instance {
  readonly #exports: Exports;
  readonly #wasi: Wasi;

  private constructor(wasi: Wasi, instance: WebAssembly.Instance) {
    this.#wasi = wasi;
    this.#exports = instance.exports as Exports;
    wasi.attach(this.#exports.memory);
    try {
      this.#exports._initialize();
    } catch (cause) {
      throw this.#trapped('', cause);
    }
  }

  /** Starts an instance without holding up a page. */
  static async start(module: WebAssembly.Module): Promise<Instance> {
    const wasi = new Wasi();
    const linked = WebAssembly.instantiate(module, { [importModule]: wasi.imports() });
    return new Instance(wasi, await linked.catch(refused));
  }

  /** Starts an instance at once, which takes some 10 ms. */
  static startNow(module: WebAssembly.Module): Instance {
    const wasi = new Wasi();
    try {
      return new Instance(wasi, new WebAssembly.Instance(module, { [importModule]: wasi.imports() }));
    } catch (cause) {
      return refused(cause);
    }
  }

  /** Refuses a module that speaks another version of the ABI, or an older minor one. */
  checkVersion(minor: number): void {
    let version: number;
    try {
      version = this.#exports.abi() >>> 0;
    } catch (cause) {
      throw this.#trapped('', cause);
    }
    const has = { major: version >>> 16, minor: version & 0xffff };
    if (has.major !== abi.major || has.minor < minor) {
      throw bad(`it speaks ABI ${has.major}.${has.minor}, and this package needs ${abi.major}.${minor}`);
    }
  }

  /** The linear memory in bytes. */
  get memorySize(): number {
    return this.#exports.memory.buffer.byteLength;
  }

  /**
   * Runs one call: copies the arguments in, runs, and copies the result out. An error
   * with Trap means that this instance must be thrown away.
   */
  call(op: number, name: string, first: Uint8Array, rest: readonly Uint8Array[]): Uint8Array {
    const second = rest.reduce((sum, part) => sum + part.length, 0);
    let bytes: Uint8Array;
    let failed: boolean;
    try {
      const ptr = this.#exports.in(first.length + second) >>> 0;
      if (ptr === 0) {
        throw new SignalboxError('TooLarge', 'the input is larger than the module takes', { op: name });
      }
      // Views are made again each time, since growth of the memory detaches the old ones.
      const memory = new Uint8Array(this.#exports.memory.buffer);
      let at = ptr;
      for (const part of [first, ...rest]) {
        memory.set(part, at);
        at += part.length;
      }
      ({ bytes, failed } = this.raw(op, first.length, second));
    } catch (cause) {
      if (cause instanceof SignalboxError) throw cause;
      throw this.#trapped(name, cause);
    }
    if (failed) throw this.#decodeError(name, bytes);
    return bytes;
  }

  /** Runs call with any numbers over the input buffer. */
  raw(op: number, n1: number, n2: number): { bytes: Uint8Array; failed: boolean } {
    const result = this.#exports.call(op, n1, n2);
    const ptr = Number((result >> 32n) & 0x7fffffffn);
    const length = Number(result & 0xffffffffn);
    return { bytes: new Uint8Array(this.#exports.memory.buffer, ptr, length).slice(), failed: result < 0n };
  }

  #decodeError(op: string, bytes: Uint8Array): SignalboxError {
    try {
      const e = JSON.parse(new TextDecoder().decode(bytes)) as { code: Code; rule: string; message: string };
      if (codes.includes(e.code)) return new SignalboxError(e.code, e.message, { rule: e.rule, op });
      return this.#trapped(
        op,
        new Error(`the module answered with the unknown code ${JSON.stringify(e.code)}`),
      );
    } catch (cause) {
      return this.#trapped(op, cause);
    }
  }

  #trapped(op: string, cause: unknown): SignalboxError {
    const line = this.#wasi.firstLine;
    const message = line === '' ? 'the instance stopped' : `the instance stopped: ${JSON.stringify(line)}`;
    return new SignalboxError('Trap', message, { op, cause });
  }
}

/** Distinguishes a module that does not link from an engine that has no memory left. */
function refused(cause: unknown): never {
  if (cause instanceof SignalboxError) throw cause;
  if (cause instanceof WebAssembly.LinkError) {
    throw new SignalboxError('BadModule', 'the module is refused: it does not link', { cause });
  }
  throw new SignalboxError('Trap', 'an instance does not start', { cause });
}
