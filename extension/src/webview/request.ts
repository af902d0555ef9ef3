// What an agent's program asks for, and the buttons that answer it. It is drawn once for a
// request: nothing in it moves or is lost while the request waits.

import { fill, join } from '../fill';
import { answersOf, canAllow, requestTitle, type Choice } from '../needs/request';
import type { RequestWords } from '../needs/requestWords';
import type { AgentRequest, AnswerParams, Argument } from '../protocol';
import { sizeWords } from '../when';
import type { TextPage } from './frame';
import { button, drawing, element, folded, span } from './dom';
import { questionField } from './requestForm';
import { richText } from './richText';
import { Sight } from './sight';
import { timeElement } from './times';

/** A page that shows requests. */
export type RequestPage = TextPage & { readonly words: { readonly request: RequestWords } };

/** What a request is drawn with besides itself. */
export interface RequestContext {
  /** The agent's name. */
  readonly name: string;
  /** What was chosen and typed before the page was hidden. */
  readonly choices: readonly Choice[];
  decide(answer: Omit<AnswerParams, 'id' | 'hash'>): void;
  /** What is chosen or typed has changed. */
  changed(): void;
}

/** A request on a page. */
export interface ShownRequest {
  readonly root: HTMLElement;
  /** What was chosen and typed. */
  readonly choices: readonly Choice[];
  /** Locks the buttons while an answer is on its way. */
  set busy(busy: boolean);
  /** Says what failed. */
  say(text: string, ...more: readonly Node[]): void;
  /** Says how many more requests wait. */
  set others(count: number);
}

/** A button does nothing for so long after it came: a click was meant for what was there before. */
export const deadMillis = 700;

const icons = { permission: 'terminal', question: 'unknown', plan: 'file' } as const;

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
  /** What says yes, each with whether it can be pressed now. */
  readonly #yes = new Map<HTMLButtonElement, () => boolean>();
  readonly #no: HTMLButtonElement;
  readonly #sight: Sight;
  #busy = false;
  #alive = false;

  constructor(request: AgentRequest, context: RequestContext, page: RequestPage) {
    this.#request = request;
    this.#context = context;
    this.#page = page;
    this.#words = page.words.request;
    this.#fields = (request.questions ?? []).map((question, index) =>
      questionField(question, index, context.choices[index], this.#words, () => {
        context.changed();
        this.#update();
      }),
    );
    // A form and a plan are read; of a command the beginning mostly tells enough.
    const height = request.kind === 'permission' ? 'asked' : 'asked tall';
    const region = element('div', { class: height }, ...this.#content());
    region.setAttribute('role', 'group');
    region.setAttribute('aria-label', this.#words.what);
    this.#sight = new Sight(region, this.#words, () => this.#update());
    const title = requestTitle(request, context.name, this.#words);
    this.#no = button(this.#words.no[request.kind].plain, 'secondary', () =>
      context.decide({ allow: false }),
    );
    const acts = element('div', { class: 'acts' });
    const rules = this.#rules();
    this.root = element(
      'section',
      { class: 'request', attributes: { role: 'group', 'aria-label': title } },
      element(
        'div',
        { class: 'title' },
        drawing(icons[request.kind]),
        element('h2', { text: title }),
        this.#others,
        timeElement(request.since, page.locale),
      ),
      region,
      ...this.#remarks(),
      this.#sight.more,
      rules?.step,
      this.#note,
      acts,
    );
    this.root.tabIndex = -1;
    acts.append(...this.#yesButtons(), this.#no, ...(rules === undefined ? [] : [rules.open]));
    this.root.addEventListener('keydown', (event) => {
      // Of what one types in, Ctrl+Enter sends the answers. It never allows anything.
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || request.kind !== 'question') return;
      if (event.target instanceof HTMLInputElement) this.#answer();
    });
    this.#update();
    setTimeout(() => {
      this.#alive = true;
      this.#update();
    }, deadMillis);
  }

  get choices(): readonly Choice[] {
    return this.#fields.map((field) => field.choice);
  }

  set busy(busy: boolean) {
    this.#busy = busy;
    if (busy) this.say('');
    this.#update();
  }

  set others(count: number) {
    this.#others.textContent = count === 0 ? '' : fill(this.#words.others, String(count));
  }

  say(text: string, ...more: readonly Node[]): void {
    this.#note.textContent = text;
    this.#note.append(...more.flatMap((one) => [' ', one]));
  }

  /** Returns what is decided on: the exact input, a plan as it reads, the questions. */
  #content(): readonly HTMLElement[] {
    const { kind, input, plan = '', planHtml = '' } = this.#request;
    const parts = input.map((argument) => argumentElement(argument, this.#words));
    if (kind === 'permission') return parts;
    const rest = parts.length === 0 ? [] : [folded('', [span(this.#words.arguments)], ...parts)];
    if (kind === 'question') return [...this.#fields.map(({ root }) => root), ...rest];
    const shown =
      planHtml === ''
        ? exactText(plan, '')
        : richText(element('div', { class: 'plan' }), planHtml, this.#page);
    return [shown, ...rest];
  }

  #remarks(): readonly HTMLElement[] {
    const { cut, denyOnly, long = 0, marked } = this.#request;
    const words = this.#words;
    const remarks = [
      marked === true ? words.marked : '',
      long > 0 ? fill(words.long, sizeWords(long, this.#page.locale)) : '',
      cut === true ? words.cut : '',
      denyOnly === true ? words.denyOnly : '',
    ].filter((text) => text !== '');
    return remarks.map((text) => element('p', { class: 'remark' }, drawing('warn'), span(text)));
  }

  #yesButtons(): readonly HTMLButtonElement[] {
    const { kind, modes = [] } = this.#request;
    if (!canAllow(this.#request)) return [];
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
    if (kind === 'permission')
      return [this.#addYes(words.allow, 'primary', () => this.#context.decide({ allow: true }), seen)];
    return [
      this.#addYes(words.approve, 'primary', () => this.#context.decide({ allow: true }), seen),
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

  /** Makes the second step of allowing something for longer: the rules, and a button of their own above the others. */
  #rules(): { readonly step: HTMLElement; readonly open: HTMLButtonElement } | undefined {
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
    let ready = false;
    const remember = this.#addYes(
      words.remember,
      'secondary',
      () => this.#context.decide({ allow: true, rules: chosen() }),
      () => ready && this.#sight.seen && chosen().length > 0,
    );
    const labels = boxes.map(({ label }) => label);
    const step = element(
      'fieldset',
      { class: 'rules' },
      element('legend', { text: words.rules }),
      ...labels,
      remember,
    );
    step.hidden = true;
    const open = button(words.always, 'secondary', () => {
      step.hidden = !step.hidden;
      open.setAttribute('aria-expanded', String(!step.hidden));
      ready = false;
      this.#update();
      setTimeout(() => {
        ready = true;
        this.#update();
      }, deadMillis);
    });
    open.setAttribute('aria-expanded', 'false');
    return { step, open };
  }

  #answers(): AnswerParams['answers'] {
    return answersOf(this.#request.questions ?? [], this.choices);
  }

  #answer(): void {
    const answers = this.#answers();
    if (answers !== undefined && this.#alive && !this.#busy) this.#context.decide({ allow: true, answers });
  }

  #update(): void {
    const dead = this.#busy || !this.#alive;
    this.#no.disabled = dead;
    for (const [made, can] of this.#yes) made.disabled = dead || !can();
  }
}

/** Shows one argument of a tool: its name, and its text as it is. */
function argumentElement({ name = '', text }: Argument, words: RequestWords): HTMLElement {
  const command = name === 'command';
  const shown = exactText(text, command ? words.command : name);
  return element(
    'div',
    { class: 'argument' },
    name === '' || command ? undefined : element('p', { class: 'label', text: name }),
    shown,
  );
}

/** A character that the server shows as a number. */
const numbered = /(⟨U\+[0-9A-F]{4,6}⟩)/;

/** Shows a text as it is. What the server shows as numbers stands out. */
function exactText(text: string, label: string, kind: 'pre' | 'code' = 'pre'): HTMLElement {
  const shown = element(kind, { class: join(['exact', kind === 'pre' ? 'block' : ''], ' ') });
  if (label !== '') shown.setAttribute('aria-label', label);
  for (const part of text.split(numbered))
    if (part !== '') shown.append(numbered.test(part) ? span(part, 'odd') : part);
  return shown;
}
