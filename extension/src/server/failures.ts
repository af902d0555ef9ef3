// Reading why a request failed.

import { ErrorCode } from '../protocol';

/** Codes of LSP for an answer that is void because the request was given up. */
const cancelledCodes: readonly number[] = [-32800, -32802];

function codeOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'number' ? error.code : undefined;
}

/** Whether a failed request failed only because it was cancelled. */
export function isCancelled(error: unknown): boolean {
  return cancelledCodes.includes(codeOf(error) ?? 0);
}

/** Whether a failed request failed with this one of the server's own codes. */
export function isError(error: unknown, name: keyof typeof ErrorCode): boolean {
  return codeOf(error) === ErrorCode[name];
}

/** Whether a failed request was answered at all: the server lives, and it said no. */
export function isAnswer(error: unknown): boolean {
  return codeOf(error) !== undefined && !isCancelled(error);
}

/** What to tell a person about any thrown value: the message, and the detail the server gave. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (!('data' in error) || typeof error.data !== 'object' || error.data === null) return error.message;
  if (!('detail' in error.data) || typeof error.data.detail !== 'string') return error.message;
  const detail = error.data.detail;
  return detail === '' || error.message.includes(detail) ? error.message : `${error.message} (${detail})`;
}
