// How the extension asks the core: op by op, each answer a promise, whether
// the core runs in a worker of its own or in the extension host.

import type { Bytes, Core, OpName, Remote, Shapes } from '@signalbox/core';

/** The core's ops. Errors are SignalboxErrors; the code Timeout tells of a call that took too long. */
export interface Calls {
  /** Runs an op that gives JSON. The parts of its input stand one after the other. */
  json<O extends keyof Shapes>(op: O, params?: object, parts?: readonly Bytes[]): Promise<Shapes[O]>;
  /** Runs an op that gives a text. */
  text(op: OpName, params?: object, input?: Bytes): Promise<string>;
}

type Run = (op: OpName, params: string, input: Uint8Array) => Promise<Uint8Array>;

/** A core in a worker. What takes too long is ended there, and the host stays free. */
export function remoteCalls(remote: Remote): Calls {
  return callsOf((op, params, input) => remote.call(op, params, input));
}

/** How long calls may follow each other in the host before others get their turn, in milliseconds. */
const slice = 20;

/**
 * A core in the host itself: between calls it lets others run once a slice of
 * time is used up. A single call is bounded by the size of what is read.
 */
export function localCalls(core: Core, pause: () => Promise<void>): Calls {
  let since = performance.now();
  let turn = Promise.resolve();
  return callsOf(async (op, params, input) => {
    const before = turn;
    let done = (): void => undefined;
    turn = new Promise((resolve) => (done = resolve));
    await before;
    try {
      if (performance.now() - since > slice) {
        await pause();
        since = performance.now();
      }
      return core.call(op, params, input);
    } finally {
      done();
    }
  });
}

// A byte order mark at the start of a result is a part of it.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function callsOf(run: Run): Calls {
  return {
    async json<O extends keyof Shapes>(op: O, params: object = {}, parts: readonly Bytes[] = []) {
      const result = await run(op, JSON.stringify(params), joined(parts));
      // The shape of each op's result is the module's contract, which its own tests hold.
      return JSON.parse(decoder.decode(result)) as Shapes[O];
    },
    async text(op, params = {}, input = '') {
      return decoder.decode(await run(op, JSON.stringify(params), bytesOf(input)));
    },
  };
}

/** The bytes of a text in UTF-8. */
export function bytesOf(text: Bytes): Uint8Array {
  return typeof text === 'string' ? new TextEncoder().encode(text) : text;
}

function joined(parts: readonly Bytes[]): Uint8Array {
  const list = parts.map(bytesOf);
  const [only] = list;
  if (only !== undefined && list.length === 1) return only;
  const all = new Uint8Array(list.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of list) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
