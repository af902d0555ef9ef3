// What the buttons of a message do, and the one that stands on every piece of
// code.

import type { MessageItem, Ref } from '../protocol';
import { button, drawing, element } from './dom';

/** Puts a text on the clipboard. */
export interface Copier {
  copy(text: string): void;
}

/** The words of a copy button. */
export interface CopyWords {
  readonly copy: string;
  readonly copied: string;
}

export interface MessageActions extends Copier {
  answer(message: MessageItem): void;
  openAsText(): void;
  openDiff(message: MessageItem, tool: number): void;
  /** Opens or saves a file that came with a message. */
  file(message: MessageItem, file: string, save: boolean): void;
  /** Brings another message into view. */
  reveal(message: Ref): void;
}

/** Puts a frame with a copy button around a piece of code that stands in a parent. */
export function addCopy(pre: HTMLPreElement, words: CopyWords, actions: Copier): void {
  const text = pre.textContent;
  const frame = element('div', { class: 'code' });
  const label = element('span', { text: words.copy });
  const copy = button('', 'copy', () => {
    actions.copy(text.replace(/\n$/, ''));
    label.textContent = words.copied;
    setTimeout(() => {
      label.textContent = words.copy;
    }, 1_500);
  });
  copy.append(drawing('copy'), label);
  pre.replaceWith(frame);
  pre.tabIndex = 0;
  frame.append(pre, copy);
}
