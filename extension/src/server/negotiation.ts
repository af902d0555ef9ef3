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
  readonly documents?: unknown;
}

/** Returns the major version that both sides speak, or undefined if the server speaks none of ours. */
export function negotiate(experimental: unknown): number | undefined {
  const theirs = answerOf(experimental);
  if (theirs === undefined) return undefined;
  const top = Math.min(speaks.max, theirs.max);
  return top >= Math.max(speaks.min, theirs.min) ? top : undefined;
}

/** Returns the kinds of documents that the server asks for. */
export function documentKindsOf(experimental: unknown): readonly DocumentKind[] {
  const documents = answerOf(experimental)?.documents;
  // A server that sends its versions also has the protocol's types in its lists.
  return Array.isArray(documents) ? (documents as DocumentKind[]) : [];
}

function answerOf(experimental: unknown): Answer | undefined {
  const answer = (experimental as { signalbox?: Partial<Answer> } | null | undefined)?.signalbox;
  const { min, max } = answer ?? {};
  return typeof min === 'number' && typeof max === 'number' ? { ...answer, min, max } : undefined;
}
