// The line above the box: the outcome of the message that was sent last.

import { fill } from '../../fill';
import type { Reach, Receipt, Ref } from '../../protocol';
import { clockTime } from '../../when';
import type { FootWords } from './footWords';

/** The state of the message that was sent last, as the page receives it. */
export type Trace =
  /** With `message`, the text is an option that answers that question. */
  | {
      readonly kind: 'held';
      readonly text: string;
      readonly until: number;
      readonly message?: Ref | undefined;
    }
  | {
      readonly kind: 'sent';
      readonly name: string;
      readonly reach: Reach | undefined;
      readonly receipt: Receipt;
      /** When it was written. */
      readonly time: number;
    };

export interface TraceLine {
  readonly icon: 'send' | 'mail' | 'ok' | 'warn';
  readonly text: string;
  /** The action that the line offers. */
  readonly act?: 'undo' | 'continue';
}

/** The most characters of a text in the line, which the page cuts to its width. */
const maxChars = 200;

/** Returns the line, or undefined once the message was answered. */
export function traceLine(
  trace: Trace,
  words: FootWords,
  now: number,
  locale: string,
): TraceLine | undefined {
  if (trace.kind === 'held') return { icon: 'send', text: fill(words.sent, short(trace.text)), act: 'undo' };
  const { name, receipt, reach, time } = trace;
  const at = clockTime(receipt.time > 0 ? receipt.time : time, now, locale);
  switch (receipt.state) {
    case 'sent':
      return { icon: 'mail', text: fill(waitingWords(reach, words), name, clockTime(time, now, locale)) };
    case 'told':
      return { icon: 'mail', text: fill(words.told, name) };
    case 'read':
      return { icon: 'ok', text: fill(receipt.time > 0 ? words.readAt : words.read, name, at) };
    case 'nobody':
      if (receipt.reason !== 'ended') return { icon: 'warn', text: fill(words.nobody, name, at) };
      return { icon: 'warn', text: fill(words.notDelivered, name), act: 'continue' };
    case 'lost':
      return { icon: 'warn', text: fill(words.notDelivered, name), act: 'continue' };
    case 'answered':
      return undefined;
  }
}

function waitingWords(reach: Reach | undefined, words: FootWords): string {
  if (reach === 'send') return words.waitsStep;
  return reach === 'wake' || reach === 'type' ? words.waitsWake : words.waits;
}

function short(text: string): string {
  return text.trim().replace(/\s+/g, ' ').slice(0, maxChars);
}
