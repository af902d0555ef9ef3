// A task's timeline as a sequence diagram: the lanes, and the arrow of each step.

import type { TaskEvent } from '../protocol';

/** The order of the lanes in the text of AMP/1.0. */
const order: readonly string[] = ['admin', 'coordinator', 'executor', 'reviewer', 'system'];

/** More lanes would be unreadable; the format has five. */
const lanesMax = 8;

/**
 * Returns the lanes of a timeline. Admin, coordinator and executor always have
 * one, so that the diagram keeps its shape while a task grows.
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
  /** "none" is a dot: the step stays in its lane, or its receiver has none. */
  readonly heads: 'right' | 'left' | 'none';
}

/** Returns the arrow of a step, or undefined if its sender has no lane. */
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

/** Returns the line of a step: dashed for an escalation, double for an answer. */
export function strokeOf({ kind, type }: Pick<TaskEvent, 'kind' | 'type'>): 'plain' | 'dashed' | 'double' {
  if (kind === 'resume') return 'double';
  return type === 'escalation' ? 'dashed' : 'plain';
}
