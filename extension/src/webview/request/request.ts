// A request of an agent's program, and the buttons that answer it. It is drawn once: nothing in
// it moves or is lost while the request waits.

import { fill } from '../../fill';
import {
  answersOf,
  canAllow,
  commandOf,
  isSimple,
  requestTitle,
  runs,
  type CardAct,
  type Choice,
} from '../../request/request';
import type { RequestWords } from '../../request/requestWords';
import { allowWords, isRed } from '../../request/risks';
import type { AgentRequest, AnswerParams } from '../../protocol';
import { button, deadMillis, drawing, element, folded, span, type Drawing } from '../dom';
import { optionButtons } from '../options';
import { questionField } from './requestForm';
import { argumentElement, exactText, remarkLines, riskLines } from './requestParts';
import { richText } from '../richText';
import type { RequestContext, RequestPage, ShownRequest } from './shownRequest';
import { Sight } from './sight';
import { sinceElement } from '../times';
import { menuContext } from '../tools';
import { Why } from './why';

export function showRequest(request: AgentRequest, context: RequestContext, page: RequestPage): ShownRequest {
  return new Card(request, context, page);
}

class Card implements ShownRequest {
  readonly root: HTMLElement;
  readonly #request: AgentRequest;
  readonly #context: RequestContext;
  readonly #page: RequestPage;
  readonly #words: RequestWords;
  readonly #note = element('p', { class: 'note error', attributes: { role: 'alert' } });
  readonly #others = span('', 'quiet');
  readonly #fields: readonly ReturnType<typeof questionField>[];
  /** The options of a single question: each answers it at once. */
  readonly #options: readonly HTMLButtonElement[];
  /** The buttons for yes, each with a check whether it can be pressed. The key presses the first. */
  readonly #yes = new Map<HTMLButtonElement, () => boolean>();
  readonly #no: HTMLButtonElement;
  readonly #why: Why | undefined;
  readonly #acts = element('div', { class: 'acts' });
  readonly #rules: { readonly step: HTMLElement; toggle(): void } | undefined;
  readonly #sight: Sight;
  /** The button that allows something from now on. */
  #remember: { readonly made: HTMLButtonElement; can(): boolean } | undefined;
  #busy = false;
  #alive = false;
  #resting = 0;

  constructor(request: AgentRequest, context: RequestContext, page: RequestPage) {
    this.#request = request;
    this.#context = context;
    this.#page = page;
    this.#words = page.words.request;
    this.#options = this.#makeOptions();
    this.#fields = this.#makeFields();
    // Forms and plans are read whole. For a command the beginning is mostly enough.
    const height = request.kind === 'permission' ? 'asked' : 'asked tall';
    const region = element('div', { class: height }, ...this.#content());
    region.hidden = region.childElementCount === 0;
    region.setAttribute('role', 'group');
    region.setAttribute('aria-label', this.#words.what);
    this.#sight = new Sight(region, this.#words, () => this.#rest());
    this.#why = this.#makeWhy();
    this.#no = this.#makeNo();
    this.#rules = this.#makeRules();
    this.root = element(
      'section',
      {
        class: 'request',
        attributes: { role: 'group', 'aria-label': requestTitle(request, context.name, this.#words) },
      },
      context.inRow === true ? undefined : this.#title(),
      region,
      ...riskLines(request, this.#words, (line) => this.#lead(region, line)),
      ...remarkLines(request, this.#words, page.locale),
      this.#options.length === 0
        ? undefined
        : element('div', { class: 'opts', attributes: { role: 'group' } }, ...this.#options),
      this.#rules?.step,
      this.#note,
      this.#acts,
      this.#why?.root,
    );
    this.root.tabIndex = -1;
    menuContext(this.root, 'request', {
      signalboxCopies: commandOf(request) !== '',
      signalboxRules: this.#rules !== undefined,
      signalboxRefuses: this.#ownWords,
    });
    const { tools = [] } = context;
    this.#acts.append(this.#sight.more, ...this.#yesButtons(), this.#no);
    if (tools.length > 0) this.#acts.append(element('span', { class: 'tools' }, ...tools));
    this.#acts.hidden = [...this.#acts.children].every(
      (child) => child instanceof HTMLElement && child.hidden,
    );
    this.root.addEventListener('keydown', (event) => {
      // In a text field of a form, Ctrl+Enter sends the answers. It never allows anything.
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || request.kind !== 'question') return;
      if (event.target instanceof HTMLInputElement) this.#answer();
    });
    this.#rest();
  }

  get choices(): readonly Choice[] {
    return this.#fields.map((field) => field.choice);
  }

  set busy(busy: boolean) {
    this.#busy = busy;
    if (busy) this.say('');
    if (this.#why !== undefined) this.#why.busy = busy;
    this.#update();
  }

  set others(count: number) {
    this.#others.textContent = count === 0 ? '' : fill(this.#words.others, String(count));
  }

  say(text: string, ...more: readonly Node[]): void {
    this.#note.textContent = text;
    this.#note.append(...more.flatMap((one) => [' ', one]));
  }

  yes(): void {
    if (!this.#alive || this.#busy || this.#why?.open === true) return;
    const [first] = this.#yes.keys();
    if (!this.#sight.more.hidden) this.#sight.more.click();
    else if (isRed(this.#request)) first?.focus();
    else first?.click();
  }

  no(): void {
    if (this.#why?.open !== true && !this.#ownWords) this.#no.click();
  }

  write(): boolean {
    if (this.#why === undefined || !this.#ownWords) return false;
    if (!this.#why.open) this.#no.click();
    return true;
  }

  option(index: number): void {
    this.#options[index]?.click();
  }

  act(act: CardAct): void {
    if (act === 'copy') this.#page.post({ type: 'copy', text: commandOf(this.#request) });
    else if (act === 'always') this.#rules?.toggle();
    else if (this.#alive && !this.#busy) this.#context.decide({ allow: false });
  }

  #title(): HTMLElement {
    const { kind, questions = [], since } = this.#request;
    const [one] = questions;
    const simple = isSimple(this.#request) && one !== undefined;
    const title = simple ? one.text : requestTitle(this.#request, this.#context.name, this.#words);
    const permission: Drawing = runs(this.#request) ? 'terminal' : 'edit';
    const icon: Drawing = kind === 'permission' ? permission : kind;
    return element(
      'div',
      { class: 'title' },
      drawing(icon),
      element('h2', { text: title, attributes: { dir: 'auto' } }),
      this.#others,
      sinceElement(since, this.#page.locale),
    );
  }

  /** Returns the content that the user decides on: the exact input, a plan as text, the questions. */
  #content(): readonly HTMLElement[] {
    const { kind, input, plan = '', planHtml = '', questions = [], risks = [] } = this.#request;
    const parts = input.map((argument) => argumentElement(argument, risks, this.#words));
    if (kind === 'permission') return parts;
    const rest = parts.length === 0 ? [] : [folded('', [span(this.#words.arguments)], ...parts)];
    if (kind === 'question') {
      const asked = this.#options.length > 0 && this.#context.inRow === true ? questions : [];
      const texts = asked.map(({ text }) => element('p', { text, attributes: { dir: 'auto' } }));
      return [...texts, ...this.#fields.map(({ root }) => root), ...rest];
    }
    const shown =
      planHtml === ''
        ? exactText(plan, '')
        : richText(element('div', { class: 'plan' }), planHtml, this.#page);
    return [shown, ...rest];
  }

  #lead(region: HTMLElement, line: number): void {
    const at = region.querySelector<HTMLElement>(`[data-line="${line}"]`);
    if (at !== null) this.#sight.lead(at);
  }

  #makeOptions(): readonly HTMLButtonElement[] {
    const [question] = this.#request.questions ?? [];
    if (!isSimple(this.#request) || question === undefined) return [];
    return optionButtons(question.options ?? [], this.#context.keys.option, (index) => {
      if (this.#alive && !this.#busy) this.#context.decide({ allow: true, answers: [{ options: [index] }] });
    });
  }

  #makeFields(): readonly ReturnType<typeof questionField>[] {
    const { questions = [] } = this.#request;
    if (this.#options.length > 0) return [];
    return questions.map((question, index) =>
      questionField(question, index, this.#context.choices[index], this.#words, () => {
        this.#context.changed();
        this.#update();
      }),
    );
  }

  /** Makes the step in a list's row for an answer in the user's own words, or for the reason of a no. */
  #makeWhy(): Why | undefined {
    const { kind } = this.#request;
    const words = this.#words;
    const { name, inRow } = this.#context;
    if (inRow !== true) return undefined;
    const own = this.#ownWords;
    const { tell, why } = words.no[kind];
    return new Why(
      own
        ? { hint: words.answer.hint, send: words.answer.tell, cancel: words.cancel }
        : { hint: fill(why, name), send: fill(tell, name), cancel: words.cancel },
      own,
      (text) => {
        if (own) this.#context.decide({ allow: true, answers: [{ text }] });
        else this.#context.decide({ allow: false, ...(text === '' ? {} : { reason: text }) });
      },
      () => {
        this.#acts.hidden = false;
        this.root.focus({ preventScroll: true });
      },
    );
  }

  /** Whether a text can answer the question. In a thread it is typed in the box. */
  get #ownWords(): boolean {
    return this.#options.length > 0 && this.#request.questions?.[0]?.closed !== true;
  }

  #makeNo(): HTMLButtonElement {
    const { keys } = this.#context;
    const { plain, step } = this.#words.no[this.#request.kind];
    const own = this.#ownWords;
    const why = this.#why;
    const text = why === undefined ? plain : own ? this.#words.ownStep : step;
    const made = button(text, 'secondary', () => {
      if (why === undefined) {
        this.#context.decide({ allow: false });
        return;
      }
      this.#acts.hidden = true;
      why.show();
    });
    // In a thread the box takes the answer, and More Actions can decline.
    made.hidden = own && why === undefined;
    if (!own) nameKey(made, keys.no);
    return made;
  }

  #yesButtons(): readonly HTMLButtonElement[] {
    const { kind, modes = [] } = this.#request;
    if (!canAllow(this.#request) || this.#options.length > 0) return [];
    const words = this.#words;
    if (kind === 'question') {
      const count = this.#fields.length;
      const text = count === 1 ? words.sendOne : fill(words.send, String(count));
      return [
        this.#addYes(
          text,
          'primary',
          () => this.#answer(),
          () => this.#answers() !== undefined,
        ),
      ];
    }
    const seen = (): boolean => this.#sight.seen;
    const allow = kind === 'permission' ? allowWords(this.#request, words) : words.approve;
    const first = this.#addYes(
      allow,
      isRed(this.#request) ? 'danger' : 'primary',
      () => this.#context.decide({ allow: true }),
      seen,
    );
    nameKey(first, this.#context.keys.yes);
    return [
      first,
      ...modes.map((mode) => {
        const text = mode === 'acceptEdits' ? words.edits : fill(words.mode, mode);
        return this.#addYes(text, 'secondary', () => this.#context.decide({ allow: true, mode }), seen);
      }),
    ];
  }

  #addYes(text: string, className: string, press: () => void, can: () => boolean): HTMLButtonElement {
    const made = button(text, className, press);
    this.#yes.set(made, can);
    return made;
  }

  /** Makes the second step of allowing from now on: the rules, and their own button above the others. */
  #makeRules(): { readonly step: HTMLElement; toggle(): void } | undefined {
    const { rules = [] } = this.#request;
    if (rules.length === 0 || !canAllow(this.#request)) return undefined;
    const words = this.#words;
    const boxes = rules.map((rule) => {
      const box = element('input', { attributes: { type: 'checkbox' } });
      box.checked = rules.length === 1;
      box.addEventListener('change', () => this.#update());
      return { box, label: element('label', { class: 'choice' }, box, exactText(rule, '', 'code')) };
    });
    const chosen = (): readonly number[] => boxes.flatMap(({ box }, index) => (box.checked ? [index] : []));
    const remember = button(words.remember, 'secondary', () =>
      this.#context.decide({ allow: true, rules: chosen() }),
    );
    const step = element(
      'fieldset',
      { class: 'rules' },
      element('legend', { text: words.rules }),
      ...boxes.map(({ label }) => label),
      remember,
    );
    step.hidden = true;
    step.tabIndex = -1;
    this.#remember = { made: remember, can: () => this.#sight.seen && chosen().length > 0 };
    const toggle = (): void => {
      step.hidden = !step.hidden;
      this.#rest();
      if (!step.hidden) step.focus();
    };
    return { step, toggle };
  }

  #answers(): AnswerParams['answers'] {
    return answersOf(this.#request.questions ?? [], this.choices);
  }

  #answer(): void {
    const answers = this.#answers();
    if (answers !== undefined && this.#alive && !this.#busy) this.#context.decide({ allow: true, answers });
  }

  /** Disables the buttons for a moment: they are new, or something above them has changed. */
  #rest(): void {
    this.#alive = false;
    this.#update();
    clearTimeout(this.#resting);
    this.#resting = setTimeout(() => {
      this.#alive = true;
      this.#update();
    }, deadMillis);
  }

  #update(): void {
    const dead = this.#busy || !this.#alive;
    this.#no.disabled = dead;
    // Until all was seen, the button for more replaces the buttons for yes.
    const further = !this.#sight.more.hidden && this.#request.kind !== 'question';
    for (const [made, can] of this.#yes) {
      made.disabled = dead || !can();
      made.hidden = further;
    }
    for (const made of this.#options) made.disabled = dead;
    if (this.#remember !== undefined) this.#remember.made.disabled = dead || !this.#remember.can();
  }
}

/** Shows on a button the key that presses it. */
function nameKey(made: HTMLButtonElement, key: string): void {
  if (key === '') return;
  made.setAttribute('aria-keyshortcuts', key.replace(' ', '+'));
  made.append(element('kbd', { text: key, attributes: { 'aria-hidden': 'true' } }));
}
