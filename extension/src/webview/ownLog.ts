// The note that an agent's own thread has in place of the reply box, with what can be
// done instead.

import type { ThreadItem } from '../protocol';
import type { FromView } from '../thread/messages';
import { hasBox } from '../thread/reach';
import { aliasOf, canResume } from '../thread/resume';
import type { ThreadWords } from '../thread/words';
import { button, drawing, element, span } from './dom';
import type { Page } from './frame';

export class OwnLog {
  readonly root: HTMLElement;
  readonly #words: ThreadWords['agent'];
  readonly #mail: HTMLButtonElement;
  readonly #resume: HTMLButtonElement;
  readonly #setUp: HTMLButtonElement;

  constructor({ words, post }: Page<ThreadWords, FromView>) {
    this.#words = words.agent;
    this.#mail = button('', 'secondary', () => post({ type: 'mail' }));
    this.#resume = button(words.agent.resume, 'secondary', () => post({ type: 'resume' }));
    this.#setUp = button(words.reach.setUp.button, 'secondary', () => post({ type: 'setUp' }));
    const note = span(words.agent.ownLog, 'quiet');
    this.root = element(
      'div',
      { class: 'own' },
      drawing('note'),
      note,
      this.#setUp,
      this.#resume,
      this.#mail,
    );
    this.root.hidden = true;
  }

  show(thread: ThreadItem): void {
    this.root.hidden = thread.agent === undefined || hasBox(thread);
    this.#setUp.hidden = thread.agent?.session?.reach !== 'setUp';
    this.#mail.textContent = aliasOf(thread) === '' ? this.#words.writeMail : this.#words.writeToAgent;
    this.#resume.hidden = !canResume(thread);
  }

  focus(): void {
    this.#mail.focus();
  }
}
