// The form that answers an escalation. Suggestions only fill it in, and a preview shows the
// answer as it will be written. A footer that stays visible has the chosen decision and the
// button that sends.

import { fill } from '../../fill';
import type { Action, RespondPreview, Suggestion } from '../../protocol';
import type { FromTaskView, ShownTask } from '../../task/messages';
import type { TaskWords } from '../../task/words';
import { hasContent, noAnswer, prefill, type Answer } from '../../task/model';
import { button, drawing, element, folded, span } from '../dom';
import type { Page } from '../frame';
import { nameAnswerKeys } from '../keys';
import { SendForm } from '../sendForm';

const actions: readonly Action[] = ['approve', 'redirect', 'split', 'terminate'];

export class AnswerForm extends SendForm {
  readonly #page: Page<TaskWords, FromTaskView>;
  readonly #typed: () => void;
  readonly #suggestions = element('div', { class: 'suggestions' });
  readonly #radios = new Map<Action, HTMLInputElement>();
  /** The footer, which stays visible while the page scrolls. */
  readonly footer = element('footer', { class: 'decide' });
  readonly #chosen: HTMLButtonElement;
  readonly #effect = element('div', { attributes: { 'aria-live': 'polite' } });
  readonly #file = element('p', { class: 'path quiet' });
  readonly #record = element('pre');
  readonly #details: HTMLElement;
  #suggested: readonly Suggestion[] = [];
  #index: number | undefined;
  #able = false;
  /** The answer that the server refused to preview, as JSON. */
  #refused = '';

  /** `typed` is called whenever the answer changes. */
  constructor(page: Page<TaskWords, FromTaskView>, typed: () => void) {
    const { words } = page;
    super(page, 'form', 4);
    this.#page = page;
    this.#typed = typed;
    this.input.placeholder = words.textPlaceholder;
    this.input.setAttribute('aria-label', words.text);
    this.root.hidden = true;
    this.footer.hidden = true;
    this.#record.tabIndex = 0;
    this.#details = folded('details', [span(words.details)], this.#file, this.#record);
    this.#chosen = button('', 'link', () => this.focus());
    // A letter typed in the form outside of the text field goes into the text field.
    this.root.addEventListener('keydown', (event) => {
      const letter =
        event.key.length === 1 && event.key !== ' ' && !event.ctrlKey && !event.metaKey && !event.altKey;
      if (letter && event.target !== this.input) this.input.focus();
    });
    this.root.append(
      element('h2', { text: words.answer }),
      this.#suggestions,
      this.#decision(),
      this.input,
      element('h3', { text: words.preview }),
      element('div', { class: 'preview' }, this.#effect, this.#details),
      element('p', { class: 'quiet', text: words.final }),
    );
    // The button is outside of the form and refers to it by id.
    this.root.id = 'answer';
    this.button.setAttribute('form', this.root.id);
    const hint = span(words.sendHint, 'hint');
    this.footer.append(element('div', { class: 'line' }, this.#chosen, this.note, hint, this.button));
    this.#blank();
  }

  get answer(): Answer {
    const chosen = [...this.#radios].find(([, radio]) => radio.checked);
    return { action: chosen?.[0], body: this.input.value, suggested: this.#index };
  }

  set answer(answer: Answer) {
    for (const [action, radio] of this.#radios) radio.checked = action === answer.action;
    this.input.value = answer.body;
    this.#index = answer.suggested;
    this.changed();
  }

  show({ escalation, answer }: ShownTask): void {
    this.root.hidden = answer === undefined;
    this.footer.hidden = this.root.hidden;
    const was = this.#able;
    this.#able = answer?.can ?? false;
    this.#suggest(escalation?.suggested ?? [], escalation?.from ?? '');
    for (const radio of this.#radios.values()) radio.disabled = !this.#able;
    this.input.disabled = !this.#able;
    if (answer !== undefined && !answer.can) this.say(answer.reason);
    else if (!was) this.say('');
    this.update();
    // An answer that was begun before the page was hidden gets its preview here.
    if (this.#able && !was) this.#ask();
  }

  /** Fills the form with a suggestion, for the user to read, change and send. */
  suggest(index: number): void {
    if (!this.#able) return;
    this.answer = prefill(this.answer, this.#suggested, index);
    this.input.focus();
  }

  focus(): void {
    if (!this.root.hidden) {
      this.root.scrollIntoView({ block: 'start' });
      const first = this.#suggestions.querySelector('button') ?? [...this.#radios.values()][0];
      first?.focus({ preventScroll: true });
    }
    this.awaitText(this.#page.post);
  }

  showPreview(answer: Answer, preview: RespondPreview | { readonly fault: string }): void {
    if (JSON.stringify(answer) !== JSON.stringify(this.answer)) return;
    if ('fault' in preview) {
      this.#refused = JSON.stringify(answer);
      this.#effect.replaceChildren(this.#warning('error', preview.fault));
      this.#details.hidden = true;
    } else {
      this.#refused = preview.canRespond ? '' : JSON.stringify(answer);
      this.#drawPreview(preview);
    }
    this.update();
  }

  sent(): void {
    this.sending = false;
    this.answer = noAnswer;
    this.say('');
  }

  #decision(): HTMLElement {
    const { words } = this.#page;
    const choices = actions.map((action) => {
      const radio = element('input', { attributes: { type: 'radio', name: 'action', value: action } });
      radio.addEventListener('change', () => this.changed());
      this.#radios.set(action, radio);
      const [name, hint] = [span(words.actions[action], 'name'), span(words.actionHints[action], 'quiet')];
      return element('label', { class: 'choice' }, radio, name, hint);
    });
    return element('fieldset', {}, element('legend', { text: this.#page.words.decision }), ...choices);
  }

  #suggest(suggested: readonly Suggestion[], from: string): void {
    if (JSON.stringify(suggested) !== JSON.stringify(this.#suggested)) {
      this.#suggested = suggested;
      const buttons = suggested.map(({ text, action }, index) => {
        const choose = button('', 'secondary suggestion', () => this.suggest(index));
        choose.append(span(this.#page.words.actions[action], 'name'), span(text));
        return choose;
      });
      nameAnswerKeys(buttons, this.#page.words.answerKey);
      this.#suggestions.replaceChildren(
        element('p', { class: 'label', text: fill(this.#page.words.suggested, from) }),
        ...buttons,
        element('p', { class: 'quiet', text: this.#page.words.suggestedHint }),
      );
    }
    this.#suggestions.hidden = suggested.length === 0;
    for (const choose of this.#suggestions.querySelectorAll('button')) choose.disabled = !this.#able;
  }

  #drawPreview({ record, path, effect, warnings }: RespondPreview): void {
    const shown = warnings.map(({ severity, message, rule }) =>
      this.#warning(severity, `${message} (${rule})`),
    );
    if (effect !== '') shown.push(element('p', { class: 'effect', text: effect }));
    this.#effect.replaceChildren(...shown);
    this.#details.hidden = record === '' && path === '';
    this.#file.textContent = path === '' ? '' : `${this.#page.words.previewFile}: ${path}`;
    this.#record.textContent = record.trimEnd();
  }

  #warning(severity: 'error' | 'warning', text: string): HTMLElement {
    return element('p', { class: `remark ${severity}` }, drawing('warn'), span(text));
  }

  #blank(): void {
    this.#effect.replaceChildren(element('p', { class: 'quiet', text: this.#page.words.previewEmpty }));
    this.#details.hidden = true;
  }

  protected override update(): void {
    super.update();
    const { words } = this.#page;
    const { action } = this.answer;
    this.#chosen.textContent =
      action === undefined ? words.choose : fill(words.chosen, words.actions[action]);
    this.#chosen.disabled = !this.#able;
  }

  protected override sendable(): boolean {
    const { answer } = this;
    return this.#able && answer.action !== undefined && this.#refused !== JSON.stringify(answer);
  }

  protected override send(): void {
    this.#page.post({ type: 'send', answer: this.answer });
  }

  protected override changed(): void {
    const empty = !hasContent(this.answer);
    this.#page.post({ type: 'typing', empty });
    this.#typed();
    if (empty) this.#blank();
    this.#ask();
    super.changed();
  }

  #ask(): void {
    this.#page.post({ type: 'preview', answer: this.answer });
  }
}
