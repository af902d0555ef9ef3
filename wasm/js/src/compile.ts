import { importModule, limits } from './abi.js';
import { SignalboxError } from './error.js';

/** What a module can be loaded from. For an address write new URL(...). */
export type Source = BufferSource | WebAssembly.Module | Response | PromiseLike<Response> | URL;

const pageSize = 65536;
const memorySection = 5;

/**
 * Compiles the module, with a limit on the linear memory of its instances in
 * bytes. A compiled module can be sent to a worker with postMessage, and
 * instances of it are made there. One that is already compiled is returned as
 * it is, with the limit that it has. Errors are SignalboxErrors with BadModule.
 */
export async function compile(source: Source, maxMemory = 1 << 30): Promise<WebAssembly.Module> {
  const module = source instanceof WebAssembly.Module ? source : await build(await read(source), maxMemory);
  check(module);
  return module;
}

async function build(bytes: Uint8Array, maxMemory: number): Promise<WebAssembly.Module> {
  try {
    // Not compileStreaming: the limit is written into the bytes.
    return await WebAssembly.compile(limitMemory(bytes, Math.min(maxMemory, limits.maxMemory)));
  } catch (cause) {
    if (cause instanceof SignalboxError) throw cause;
    throw new SignalboxError('BadModule', 'the bytes do not compile', { cause });
  }
}

async function read(source: BufferSource | Response | PromiseLike<Response> | URL): Promise<Uint8Array> {
  if ('byteLength' in source && !ArrayBuffer.isView(source)) return new Uint8Array(source);
  if (ArrayBuffer.isView(source)) return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  try {
    const response = await (source instanceof URL ? fetch(source) : source);
    if (!response.ok) throw new Error(`the server answered ${response.status}`);
    return new Uint8Array(await response.arrayBuffer());
  } catch (cause) {
    const hint =
      source instanceof URL && source.protocol === 'file:' ? ': read the file and pass its bytes' : '';
    throw new SignalboxError('BadModule', `the module could not be fetched${hint}`, { cause });
  }
}

/** Checks imports and exports, so that a foreign module is refused and never runs. */
function check(module: WebAssembly.Module): void {
  const foreign = WebAssembly.Module.imports(module).find(
    (i) => i.module !== importModule || i.kind !== 'function',
  );
  if (foreign !== undefined) throw bad(`it imports ${foreign.module}.${foreign.name}`);
  const exports = new Map(WebAssembly.Module.exports(module).map((e) => [e.name, e.kind]));
  for (const name of ['_initialize', 'in', 'call', 'abi']) {
    if (exports.get(name) !== 'function') throw bad(`it has no function ${name}`);
  }
  if (exports.get('memory') !== 'memory') throw bad('it exports no memory');
}

/** Returns an error that says why a module is refused. */
export function bad(reason: string): SignalboxError {
  return new SignalboxError('BadModule', `the module is refused: ${reason}`);
}

/**
 * Sets a maximum for the module's memory. An engine lets a host limit only a memory
 * that the host passes in, and this module brings its own. Bytes that are not a
 * module stay as they are: the compiler says what is wrong with them.
 */
function limitMemory(bytes: Uint8Array, maxMemory: number): Uint8Array<ArrayBuffer> {
  let at = 8;
  while (at < bytes.length) {
    const id = bytes[at];
    const [size, start] = readNumber(bytes, at + 1);
    if (id === memorySection && bytes[start] === 1) {
      const [least] = readNumber(bytes, start + 2);
      const most = Math.floor(maxMemory / pageSize);
      if (least > most) throw bad(`it needs ${least * pageSize} bytes of memory, and may have ${maxMemory}`);
      const memory = [1, 1, ...numberBytes(least), ...numberBytes(most)];
      const section = [memorySection, ...numberBytes(memory.length), ...memory];
      return joined(bytes.subarray(0, at), Uint8Array.from(section), bytes.subarray(start + size));
    }
    at = start + size;
  }
  return joined(bytes);
}

/** Reads a number in LEB128, and returns where the next byte is. */
function readNumber(bytes: Uint8Array, at: number): [value: number, next: number] {
  let value = 0;
  for (let shift = 0; shift < 35; shift += 7) {
    const byte = bytes[at++] ?? 0;
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) break;
  }
  return [value, at];
}

function numberBytes(value: number): number[] {
  const bytes = [];
  for (; value >= 0x80; value = Math.floor(value / 0x80)) bytes.push((value % 0x80) + 0x80);
  return [...bytes, value];
}

function joined(...parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
