// The timeline of a task as a sequence diagram: who has a lane, and from which
// lane to which each step goes.

import type { TaskEvent } from '../protocol';

/** The order in which the text of AMP/1.0 draws them. */
const order: readonly string[] = ['admin', 'coordinator', 'executor', 'reviewer', 'system'];

/** More than these nobody could tell apart; the format has five. */
const lanesMax = 8;

/**
 * The lanes that a timeline needs. The admin, the coordinator and the executor
 * are always there, so that the drawing keeps its shape while a task grows.
 */
export function lanesOf(timeline: readonly Pick<TaskEvent, 'from' | 'to'>[]): readonly string[] {
  const seen = new Set(timeline.flatMap(({ from, to }) => [from, to]).filter((name) => name !== ''));
  const known = order.filter((name, index) => index < 3 || seen.has(name));
  const others = [...seen].filter((name) => !order.includes(name));
  return [...known, ...others].slice(0, lanesMax);
}

/** A step in the drawing. Lanes are counted from 0. */
export interface Arrow {
  /** The leftmost and the rightmost lane it touches. */
  readonly first: number;
  readonly last: number;
  /** A dot where it goes from a lane to the same, or to one that is not drawn. */
  readonly heads: 'right' | 'left' | 'none';
}

/** Where a step is drawn, or undefined where its sender has no lane. */
export function arrowOf(
  { from, to }: Pick<TaskEvent, 'from' | 'to'>,
  lanes: readonly string[],
): Arrow | undefined {
  const start = lanes.indexOf(from);
  const end = lanes.indexOf(to);
  if (start < 0) return undefined;
  if (end < 0 || end === start) return { first: start, last: start, heads: 'none' };
  return { first: Math.min(start, end), last: Math.max(start, end), heads: end > start ? 'right' : 'left' };
}

/** How a step is drawn besides its direction: an alarm dashed, an answer doubled. */
export function strokeOf({ kind, type }: Pick<TaskEvent, 'kind' | 'type'>): 'plain' | 'dashed' | 'double' {
  if (kind === 'resume') return 'double';
  return type === 'escalation' ? 'dashed' : 'plain';
}
