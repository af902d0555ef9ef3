// Tells why a request failed.

import { ErrorCode } from '../protocol';

/** LSP's error codes for a cancelled request. */
const cancelledCodes: readonly number[] = [-32800, -32802];

function codeOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'number' ? error.code : undefined;
}

/** Reports whether a request failed because it was cancelled. */
export function isCancelled(error: unknown): boolean {
  return cancelledCodes.includes(codeOf(error) ?? 0);
}

/** Reports whether a request failed with this error code of the server. */
export function isError(error: unknown, name: keyof typeof ErrorCode): boolean {
  return codeOf(error) === ErrorCode[name];
}

/** Reports whether the server refused a request, so that nothing was done. */
export function isAnswer(error: unknown): boolean {
  return codeOf(error) !== undefined && !isCancelled(error);
}

/** Returns what to tell the user about a thrown value: its message, with the server's detail. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (!('data' in error) || typeof error.data !== 'object' || error.data === null) return error.message;
  if (!('detail' in error.data) || typeof error.data.detail !== 'string') return error.message;
  const detail = error.data.detail;
  return detail === '' || error.message.includes(detail) ? error.message : `${error.message} (${detail})`;
}
