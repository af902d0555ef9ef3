// Makes the calls of a transcript and compares the bytes. It runs in Node and in
// a worker of a page; wasm/conformance/transcript describes the format.
import type { Core, SignalboxError } from '@signalbox/core';

/** One call, and what the native core answers. */
export interface Call {
  readonly op: number;
  readonly params: Uint8Array;
  readonly input: Uint8Array;
  readonly ok: boolean;
  readonly result: Uint8Array;
}

/** The result of a replay. */
export interface Replay {
  readonly calls: number;
  /** How many of them failed, as they had to. */
  readonly errors: number;
  /** The first few calls with another answer. */
  readonly differences: string[];
  readonly millis: number;
  /** The instances that were made, and the linear memory at the end in bytes. */
  readonly created: number;
  readonly memory: number;
}

const magic = 'signalbox-transcript/1\n';
const headSize = 20;

/** Reads a transcript. */
export async function* read(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Call> {
  let pending = new Uint8Array();
  let at = 0;
  let begun = false;
  for await (const chunk of chunks) {
    const joined = new Uint8Array(pending.length - at + chunk.length);
    joined.set(pending.subarray(at));
    joined.set(chunk, pending.length - at);
    [pending, at] = [joined, 0];
    if (!begun && pending.length >= magic.length) {
      if (new TextDecoder().decode(pending.subarray(0, magic.length)) !== magic)
        throw new Error('no transcript');
      [begun, at] = [true, magic.length];
    }
    while (begun && pending.length - at >= headSize) {
      const head = new DataView(pending.buffer, at, headSize);
      const [op, n1, n2, ok, n3] = [0, 4, 8, 12, 16].map((place) => head.getUint32(place, true)) as [
        ...[number, number, number, number, number],
      ];
      const start = at + headSize;
      const end = start + n1 + n2 + n3;
      if (end > pending.length) break;
      yield {
        op,
        params: pending.subarray(start, start + n1),
        input: pending.subarray(start + n1, start + n1 + n2),
        ok: ok === 1,
        result: pending.subarray(end - n3, end),
      };
      at = end;
    }
  }
  if (!begun || at !== pending.length) throw new Error('the transcript is cut short');
}

/** Makes every call of a transcript. */
export async function replay(core: Core, chunks: AsyncIterable<Uint8Array>): Promise<Replay> {
  const start = performance.now();
  const differences: string[] = [];
  let calls = 0;
  let errors = 0;
  for await (const call of read(chunks)) {
    calls++;
    const [ok, result] = answer(core, call);
    if (!ok) errors++;
    if ((ok !== call.ok || !same(result, call.result)) && differences.length < 10) {
      differences.push(
        `op ${call.op} of ${show(call.params)} and ${show(call.input)}:\n${show(result)}\n${show(call.result)}`,
      );
    }
  }
  const { created, memory } = core.stats;
  return { calls, errors, differences, millis: Math.round(performance.now() - start), created, memory };
}

/** Writes an error object as the module wrote it. */
function answer(core: Core, call: Call): [ok: boolean, result: Uint8Array] {
  try {
    return [true, core.call(call.op, call.params, call.input)];
  } catch (error) {
    const { code, rule, message } = error as SignalboxError;
    const text = [code, rule, message].map((part) => JSON.stringify(part));
    return [false, new TextEncoder().encode(`{"code":${text[0]},"rule":${text[1]},"message":${text[2]}}`)];
  }
}

function same(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

function show(bytes: Uint8Array): string {
  return JSON.stringify(new TextDecoder().decode(bytes.subarray(0, 600)));
}
