// Calls to the core, which runs in a worker or in the extension host. Each answer is
// a promise.

import type { Bytes, Core, OpName, Remote, Shapes } from '@signalbox/core';

/** The core's ops. Errors are SignalboxErrors; a call that took too long has the code Timeout. */
export interface Calls {
  /** Runs an op that returns JSON. The parts of its input are concatenated. */
  json<O extends keyof Shapes>(op: O, params?: object, parts?: readonly Bytes[]): Promise<Shapes[O]>;
  /** Runs an op that returns a text. */
  text(op: OpName, params?: object, input?: Bytes): Promise<string>;
}

type Run = (op: OpName, params: string, input: Uint8Array) => Promise<Uint8Array>;

/** Calls a core in a worker. A call that takes too long is ended there. */
export function remoteCalls(remote: Remote): Calls {
  return callsOf((op, params, input) => remote.call(op, params, input));
}

/** How long calls may run in the host, in milliseconds, before others get their turn. */
const slice = 20;

/**
 * Calls a core in the extension host, with a pause after each slice of time. A
 * single call is bounded by the size of its input.
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

// A byte order mark at the start of a result belongs to the result.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function callsOf(run: Run): Calls {
  return {
    async json<O extends keyof Shapes>(op: O, params: object = {}, parts: readonly Bytes[] = []) {
      const result = await run(op, JSON.stringify(params), joined(parts));
      // The module's own tests hold the shape of each op's result.
      return JSON.parse(decoder.decode(result)) as Shapes[O];
    },
    async text(op, params = {}, input = '') {
      return decoder.decode(await run(op, JSON.stringify(params), bytesOf(input)));
    },
  };
}

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
