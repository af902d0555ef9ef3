// The place above the box for the request of the thread's session, or the question of a
// message, and then for its outcome.

import { requestKey, type CardAct, type Choice } from '../../request/request';
import type { AgentRequest, Ref } from '../../protocol';
import type { Failure } from '../../server/failureWords';
import type { FromView, ToView } from '../../thread/messages';
import { element } from '../dom';
import { remedyButtons } from '../remedies';
import { showRequest } from '../request/request';
import type { ShownRequest } from '../request/shownRequest';
import type { ThreadPage } from '../message/threadPage';
import { moreButton, toolButton } from '../tools';

/** The choices and texts for a request, saved while the page is hidden. */
export interface SavedChoices {
  readonly request: string;
  readonly choices: readonly Choice[];
}

/** A request of a session, or with `message` the question of a message. */
export interface Asking {
  readonly request: AgentRequest;
  /** The name of who asks. */
  readonly name: string;
  readonly message?: Ref;
}

export class AskedPlace {
  readonly root = element('div', { class: 'asks' });
  readonly #page: ThreadPage;
  readonly #changed: () => void;
  readonly #over = element('p', { class: 'over', attributes: { role: 'status' } });
  /** The session's request and a message's question. The session comes first, because it waits. */
  #session: Asking | undefined;
  #question: Asking | undefined;
  #others = 0;
  /** Whether the agent runs in a terminal of this window. */
  #terminal = false;
  #asking: Asking | undefined;
  #shown: ShownRequest | undefined;
  #saved: SavedChoices | undefined;
  /** The button that was pressed. It loses the focus while it is locked. */
  #pressed: HTMLElement | undefined;

  /** `changed` is called after a choice or a text has changed. */
  constructor(page: ThreadPage, changed: () => void) {
    this.#page = page;
    this.#changed = changed;
    this.#over.hidden = true;
    this.root.append(this.#over);
  }

  get asking(): Asking | undefined {
    return this.#asking;
  }

  /** The choices to save while the page is hidden. */
  get saved(): SavedChoices | undefined {
    if (this.#asking === undefined || this.#shown === undefined) return this.#saved;
    return { request: requestKey(this.#asking.request), choices: this.#shown.choices };
  }

  set saved(saved: SavedChoices | undefined) {
    this.#saved = saved;
  }

  /** Shows a session's request. Returns the text typed for the previous one if it was not answered here. */
  show({ name, request, others, over, here }: Extract<ToView, { readonly type: 'asked' }>): string {
    this.#over.textContent = over;
    this.#over.hidden = over === '';
    this.#others = others;
    this.#session = request === undefined ? undefined : { request, name };
    return this.#draw(here);
  }

  /** Shows a message's question. It is answered by an option or in the box, so no typed text is lost. */
  ask(question: Asking | undefined): void {
    this.#question = question;
    this.#draw(true);
  }

  /** Shows or hides the button for the agent's terminal. */
  set terminal(here: boolean) {
    this.#terminal = here;
    const { root } = this.#shown ?? {};
    const tool = root?.querySelector<HTMLElement>('.terminal-tool');
    if (tool !== null && tool !== undefined) tool.hidden = !here;
  }

  /** Presses the button of a key. Returns whether a request is shown. */
  key(act: 'yes' | 'no' | 'option', index: number): boolean {
    if (this.#shown === undefined) return false;
    if (act === 'option') this.#shown.option(index);
    else this.#shown[act]();
    return true;
  }

  /** Runs an action of the More Actions menu. */
  act(act: CardAct): void {
    this.#shown?.act(act);
  }

  clear(): void {
    this.#question = undefined;
    this.show({ type: 'asked', name: '', request: undefined, others: 0, over: '', here: true });
  }

  failed({ text, remedies }: Failure): void {
    if (this.#shown === undefined) return;
    this.#shown.busy = false;
    // The request's buttons retry, so there is no button for that.
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

  /** Draws the current request or question, unless it is shown already. */
  #draw(here: boolean): string {
    const asking = this.#session ?? this.#question;
    const was = this.#asking;
    const same =
      asking !== undefined && was !== undefined && requestKey(asking.request) === requestKey(was.request);
    const typed = same || here ? [] : (this.#shown?.choices ?? []).map(({ text }) => text.trim());
    // Saved choices stay until the first request is shown.
    if (!same && (asking !== undefined || was !== undefined)) this.#replace(asking);
    if (this.#shown !== undefined) this.#shown.others = asking?.message === undefined ? this.#others : 0;
    return typed.filter((text) => text !== '').join('\n');
  }

  #replace(asking: Asking | undefined): void {
    const focused =
      this.#pressed !== undefined || this.#shown?.root.contains(document.activeElement) === true;
    this.#pressed = undefined;
    this.#shown?.root.remove();
    this.#asking = asking;
    this.#shown = asking === undefined ? undefined : this.#make(asking);
    if (this.#shown !== undefined) this.root.append(this.#shown.root);
    this.#saved = undefined;
    if (!focused) return;
    // The focus stays here, but not on a button.
    this.#over.tabIndex = -1;
    (this.#shown?.root ?? this.#over).focus({ preventScroll: true });
  }

  #make({ request, name, message }: Asking): ShownRequest {
    const kept = this.#saved?.request === requestKey(request) ? this.#saved.choices : [];
    const { id, hash } = request;
    const { words, post } = this.#page;
    const context = {
      ...{ name, choices: kept, keys: words.cardKeys, changed: this.#changed },
      tools: message === undefined ? this.#tools() : [],
      decide: (answer: Omit<Extract<FromView, { type: 'decide' }>['answer'], 'id' | 'hash'>): void => {
        this.lock();
        const option = request.questions?.[0]?.options?.[answer.answers?.[0]?.options?.[0] ?? -1]?.label;
        if (message === undefined) post({ type: 'decide', answer: { ...answer, id, hash }, next: false });
        else if (option !== undefined) post({ type: 'choose', message, option });
      },
    };
    return showRequest(request, context, this.#page);
  }

  #tools(): readonly HTMLElement[] {
    const { words, post } = this.#page;
    const terminal = toolButton('terminal', words.request.terminal, 'T', () => post({ type: 'terminal' }));
    terminal.classList.add('terminal-tool');
    terminal.hidden = !this.#terminal;
    return [terminal, moreButton(words.request.moreActions, 'Shift+F10')];
  }
}

/** Returns a message's question as a request to draw. */
export function questionOf(
  key: string,
  {
    text,
    options,
    time,
  }: { readonly text: string; readonly options: readonly string[]; readonly time: number },
): AgentRequest {
  return {
    ...{ id: key, hash: '', kind: 'question', tool: '', input: [], since: time, until: 0 },
    questions: [{ text, options: options.map((label) => ({ label })) }],
  };
}
