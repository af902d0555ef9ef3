// What the two sides tell each other at initialize, in `experimental`.

import type { DocumentKind } from '../protocol';

/** The protocol's major versions this client speaks, as sent in `experimental`. */
export const speaks = {
  min: 1,
  max: 1,
  features: ['inbox', 'thread', 'compose', 'link', 'read', 'agents', 'tasks'],
} as const;

/**
 * The major version both sides speak, or undefined. `experimental` is what the
 * server's capabilities hold; anything of the wrong shape counts as no answer.
 */
export function negotiate(experimental: unknown): number | undefined {
  if (typeof experimental !== 'object' || experimental === null || !('signalbox' in experimental)) {
    return undefined;
  }
  const theirs = experimental.signalbox;
  if (typeof theirs !== 'object' || theirs === null || !('min' in theirs) || !('max' in theirs)) {
    return undefined;
  }
  if (typeof theirs.min !== 'number' || typeof theirs.max !== 'number') return undefined;
  const top = Math.min(speaks.max, theirs.max);
  return top >= Math.max(speaks.min, theirs.min) ? top : undefined;
}

/** The kinds in what the server's capabilities hold; none of the wrong shape. */
export function readDocumentKinds(experimental: unknown): readonly DocumentKind[] {
  if (typeof experimental !== 'object' || experimental === null || !('signalbox' in experimental)) return [];
  const theirs = experimental.signalbox;
  if (typeof theirs !== 'object' || theirs === null || !('documents' in theirs)) return [];
  return Array.isArray(theirs.documents) ? theirs.documents.filter(isDocumentKind) : [];
}

function isDocumentKind(value: unknown): value is DocumentKind {
  if (typeof value !== 'object' || value === null) return false;
  if (!('pattern' in value) || typeof value.pattern !== 'string') return false;
  if (!('maxBytes' in value) || typeof value.maxBytes !== 'number') return false;
  if ('within' in value && typeof value.within !== 'number') return false;
  return 'marks' in value && Array.isArray(value.marks) && value.marks.every(isMark);
}

function isMark(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((part) => typeof part === 'string');
}
