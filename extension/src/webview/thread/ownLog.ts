// The note in an agent's own thread that replaces the box if nothing reaches the agent, with
// buttons for other actions.

import { fill } from '../../fill';
import type { ThreadItem } from '../../protocol';
import type { FromView } from '../../thread/messages';
import { hasBox } from '../../agent/reach';
import { canResume } from '../../agent/resume';
import type { ThreadWords } from '../../thread/words';
import { button, drawing, element, span } from '../dom';
import type { Page } from '../frame';

export class OwnLog {
  readonly root = element('div', { class: 'own' });
  readonly #words: ThreadWords;
  readonly #mail: HTMLButtonElement;
  readonly #resume: HTMLButtonElement;
  readonly #setUp: HTMLButtonElement;

  constructor({ words, post }: Page<ThreadWords, FromView>) {
    this.#words = words;
    this.#mail = button(words.agent.message, 'secondary', () => post({ type: 'mail' }));
    this.#resume = button(words.agent.resume, 'secondary', () => post({ type: 'resume' }));
    this.#setUp = button(words.reach.setUp.button, 'primary', () => post({ type: 'setUp' }));
    this.root.hidden = true;
  }

  show(thread: ThreadItem): void {
    const { agent } = thread;
    this.root.hidden = agent === undefined || hasBox(thread);
    if (this.root.hidden || agent === undefined) return;
    const { ownLog } = this.#words.agent;
    if (agent.session?.reach === 'setUp') {
      const note = fill(this.#words.foot.notConnected, agent.name);
      this.root.replaceChildren(drawing('unplugged'), span(note, 'quiet'), this.#setUp);
      return;
    }
    const resume = canResume(thread) ? [this.#resume] : [];
    this.root.replaceChildren(drawing('note'), span(ownLog, 'quiet'), ...resume, this.#mail);
  }

  focus(): void {
    [...this.root.querySelectorAll('button')].at(-1)?.focus();
  }
}
