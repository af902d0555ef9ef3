// What the two sides exchange at initialize, in `experimental`.

import type { DocumentKind } from '../protocol';

/** The major versions of the protocol that this client speaks. */
export const speaks = {
  min: 1,
  max: 1,
  features: ['inbox', 'thread', 'compose', 'link', 'read', 'agents', 'tasks'],
} as const;

/** What a server of this protocol answers in `experimental`. */
interface Answer {
  readonly min: number;
  readonly max: number;
  readonly documents?: readonly DocumentKind[];
}

/** Returns the major version that both sides speak. Undefined if there is none, or if this is no such server. */
export function negotiate(experimental: unknown): number | undefined {
  const theirs = answerOf(experimental);
  if (theirs === undefined) return undefined;
  const top = Math.min(speaks.max, theirs.max);
  return top >= Math.max(speaks.min, theirs.min) ? top : undefined;
}

/** Returns the kinds of documents that the server wants to hear of. */
export function documentKindsOf(experimental: unknown): readonly DocumentKind[] {
  return answerOf(experimental)?.documents ?? [];
}

function answerOf(experimental: unknown): Answer | undefined {
  if (typeof experimental !== 'object' || experimental === null || !('signalbox' in experimental)) {
    return undefined;
  }
  const { signalbox } = experimental;
  return isAnswer(signalbox) ? signalbox : undefined;
}

/** Reports whether a value is this protocol's answer: what names its versions has the protocol's other types too. */
function isAnswer(value: unknown): value is Answer {
  if (typeof value !== 'object' || value === null || !('min' in value) || !('max' in value)) return false;
  return typeof value.min === 'number' && typeof value.max === 'number';
}
