// What makes a request dangerous, and what the button that allows it is called then. The
// server finds risks by a fixed list; nothing is called safe.

import type { AgentRequest } from '../protocol';
import type { RequestWords } from './requestWords';

/** One risk of a request. `line` counts the lines of its command from 1. */
export interface Risk {
  readonly level: 'red' | 'yellow';
  readonly kind: string;
  readonly text: string;
  readonly line?: number;
}

/** Returns the risks of a request, the red ones first. */
export function risksOf(request: AgentRequest & { readonly risks?: readonly Risk[] }): readonly Risk[] {
  const { risks = [] } = request;
  return [...risks.filter(({ level }) => level === 'red'), ...risks.filter(({ level }) => level !== 'red')];
}

/** Reports whether a key may give the button that allows it the focus, and no more. */
export function isRed(request: AgentRequest): boolean {
  return risksOf(request).some(({ level }) => level === 'red');
}

/** Names what allowing does. */
export function allowWords(request: AgentRequest, words: RequestWords): string {
  const red = risksOf(request).filter(({ level }) => level === 'red');
  if (red.length === 0) return words.allow;
  return red.every(({ kind }) => kind === 'forcePush') ? words.allowForce : words.allowAnyway;
}

/** A piece of a risk's text; `code` is what stood between backticks. */
export interface Piece {
  readonly text: string;
  readonly code: boolean;
}

/** Returns the text of a risk in pieces. */
export function piecesOf(text: string): readonly Piece[] {
  return text
    .split('`')
    .map((piece, index) => ({ text: piece, code: index % 2 === 1 }))
    .filter((piece) => piece.text !== '');
}
