// The place above the reply box where a thread shows what its session waits for, and then
// what became of it.

import type { AgentRequest } from '../protocol';
import type { Choice } from '../needs/request';
import { requestKey } from '../needs/request';
import type { Failure } from '../server/failureWords';
import type { FromView, ToView } from '../thread/messages';
import { element } from './dom';
import { remedyButtons } from './remedies';
import { showRequest, type ShownRequest } from './request';
import type { ThreadPage } from './threadPage';

/** What was chosen and typed for a request, kept while the page is hidden. */
export interface SavedChoices {
  readonly request: string;
  readonly choices: readonly Choice[];
}

export class AskedPlace {
  readonly root = element('div', { class: 'asks' });
  readonly #page: ThreadPage;
  readonly #changed: () => void;
  readonly #over = element('p', { class: 'over', attributes: { role: 'status' } });
  #request: AgentRequest | undefined;
  #shown: ShownRequest | undefined;
  #saved: SavedChoices | undefined;
  /** The button that was pressed: one that is locked loses the focus. */
  #pressed: HTMLElement | undefined;

  /** `changed` is called when something is chosen or typed. */
  constructor(page: ThreadPage, changed: () => void) {
    this.#page = page;
    this.#changed = changed;
    this.#over.hidden = true;
    this.root.append(this.#over);
  }

  get request(): AgentRequest | undefined {
    return this.#request;
  }

  /** What is to be kept while the page is hidden. */
  get saved(): SavedChoices | undefined {
    if (this.#request === undefined || this.#shown === undefined) return this.#saved;
    return { request: requestKey(this.#request), choices: this.#shown.choices };
  }

  set saved(saved: SavedChoices | undefined) {
    this.#saved = saved;
  }

  /** Shows a request. Returns what was typed for one that is over and was not answered here. */
  show({ name, request, others, over, here }: Extract<ToView, { readonly type: 'asked' }>): string {
    const same =
      request !== undefined &&
      this.#request !== undefined &&
      requestKey(request) === requestKey(this.#request);
    this.#over.textContent = over;
    this.#over.hidden = over === '';
    const typed = same || here ? [] : (this.#shown?.choices ?? []).map(({ text }) => text.trim());
    if (!same) this.#replace(request, name);
    if (this.#shown !== undefined) this.#shown.others = others;
    return typed.filter((text) => text !== '').join('\n');
  }

  clear(): void {
    this.show({ type: 'asked', name: '', request: undefined, others: 0, over: '', here: true });
  }

  failed({ text, remedies }: Failure): void {
    if (this.#shown === undefined) return;
    this.#shown.busy = false;
    // The buttons themselves try again.
    const others = remedies.filter((remedy) => remedy !== 'retry');
    this.#shown.say(text, ...remedyButtons(this.#page, others));
    this.#pressed?.focus();
    this.#pressed = undefined;
  }

  /** Locks the buttons while an answer is on its way. */
  lock(): void {
    const { activeElement } = document;
    const inside = activeElement instanceof HTMLElement && this.#shown?.root.contains(activeElement);
    this.#pressed = inside === true ? activeElement : undefined;
    if (this.#shown !== undefined) this.#shown.busy = true;
  }

  #replace(request: AgentRequest | undefined, name: string): void {
    const focused =
      this.#pressed !== undefined || this.#shown?.root.contains(document.activeElement) === true;
    this.#pressed = undefined;
    this.#shown?.root.remove();
    this.#request = request;
    this.#shown = undefined;
    if (request !== undefined) {
      const kept = this.#saved?.request === requestKey(request) ? this.#saved.choices : [];
      const { id, hash } = request;
      const decide = (answer: object & { readonly allow: boolean }): void => {
        this.lock();
        this.#page.post({ type: 'decide', answer: { ...answer, id, hash } } satisfies FromView);
      };
      this.#shown = showRequest(request, { name, choices: kept, decide, changed: this.#changed }, this.#page);
      this.root.append(this.#shown.root);
    }
    this.#saved = undefined;
    if (!focused) return;
    // The focus stays here, and is on no button.
    this.#over.tabIndex = -1;
    (this.#shown?.root ?? this.#over).focus({ preventScroll: true });
  }
}
