// Finds out why a request failed.

import { ErrorCode } from '../protocol';

/** The server does not run, and only a restart starts it. */
export class NotRunning extends Error {}

/**
 * Why something failed: an error code of the server, or one of these. Refused: the server refused
 * the request. Unknown: it does not know the method. Internal: it broke. Cancelled: the request was
 * cancelled. Lost: the connection ended meanwhile. Down: no server runs. Local: an error of the
 * extension itself, with a message for the user.
 */
export type Cause =
  keyof typeof ErrorCode | 'Refused' | 'Unknown' | 'Internal' | 'Cancelled' | 'Lost' | 'Down' | 'Local';

/** The codes of JSON-RPC, LSP and the client's library. */
const commonCauses: ReadonlyMap<number, Cause> = new Map([
  [-32700, 'Refused'],
  [-32600, 'Refused'],
  [-32601, 'Unknown'],
  [-32602, 'Refused'],
  [-32603, 'Internal'],
  [-32001, 'Internal'],
  [-32002, 'Lost'],
  [-32800, 'Cancelled'],
  [-32802, 'Cancelled'],
  // The library's own codes for a connection that ended: during a write, a read or a request,
  // because the client stopped, or because it was closed or disposed.
  [-32099, 'Lost'],
  [-32098, 'Lost'],
  [-32097, 'Lost'],
  [-32096, 'Lost'],
  [1, 'Lost'],
  [2, 'Lost'],
] as const);

const serverCauses: ReadonlyMap<number, Cause> = new Map(
  Object.entries(ErrorCode).map(([name, code]) => [code, name as keyof typeof ErrorCode]),
);

function codeOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'number' ? error.code : undefined;
}

/** Returns why something failed. An unknown code counts as a fault of the server. */
export function causeOf(error: unknown): Cause {
  if (error instanceof NotRunning) return 'Down';
  const code = codeOf(error);
  if (code === undefined) return 'Local';
  return serverCauses.get(code) ?? commonCauses.get(code) ?? 'Internal';
}

/** Reports whether a request failed because it was cancelled. */
export function isCancelled(error: unknown): boolean {
  return causeOf(error) === 'Cancelled';
}

/** Reports whether a request failed with this error code of the server. */
export function isError(error: unknown, name: keyof typeof ErrorCode): boolean {
  return causeOf(error) === name;
}

/** Reports whether the server refused a request, so that nothing was done. */
export function isAnswer(error: unknown): boolean {
  const cause = causeOf(error);
  return cause !== 'Local' && cause !== 'Down' && cause !== 'Lost' && cause !== 'Cancelled';
}

/** Reports whether the server says that the same request may succeed later. */
export function mayRepeat(error: unknown): boolean {
  const data = dataOf(error);
  return data !== undefined && 'retryable' in data && data.retryable === true;
}

/** Returns the text of a thrown value for the user: its message, with the server's detail. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const detail = detailOf(error);
  return error.message.includes(detail) ? error.message : `${error.message} (${detail})`;
}

/** Returns the detail that the server adds to its message, or "". */
export function detailOf(error: unknown): string {
  const data = dataOf(error);
  return data !== undefined && 'detail' in data && typeof data.detail === 'string' ? data.detail : '';
}

function dataOf(error: unknown): object | undefined {
  if (!(error instanceof Error) || !('data' in error)) return undefined;
  return typeof error.data === 'object' && error.data !== null ? error.data : undefined;
}
