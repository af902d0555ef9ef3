// The head of the page: the task or escalation, and its state. The end of the page lists the
// task's other escalations, missed deadlines, remarks and rejected messages.

import type { FromTaskView, ShownTask } from '../../task/messages';
import type { TaskWords } from '../../task/words';
import { fill, join } from '../../fill';
import type { Failure } from '../../server/failureWords';
import type { EscalationItem, RejectedItem, TaskItem, Warning } from '../../protocol';
import { button, drawing, element, span, type Drawing } from '../dom';
import type { Page } from '../frame';
import { remedyButtons, withRetry } from '../remedies';
import { richText } from '../richText';
import { age } from '../../when';
import { nextWords, overdueText } from '../../task/turns';
import { agoWords, timeElement } from '../times';

const severityDrawings = {
  critical: 'critical',
  warning: 'warn',
  info: 'info',
} as const satisfies Record<string, Drawing>;

export class TaskTop {
  readonly root = element('header', { class: 'top' });
  /** The end of the page. */
  readonly rest = element('div', { class: 'rest' });
  readonly #page: Page<TaskWords, FromTaskView>;
  readonly #fault = element('div', { class: 'banner', attributes: { role: 'alert' } });
  readonly #head = element('div', { class: 'heading' });

  constructor(page: Page<TaskWords, FromTaskView>) {
    this.#page = page;
    this.#fault.hidden = true;
    this.root.append(this.#fault, this.#head);
  }

  show(shown: ShownTask): void {
    this.#fault.hidden = true;
    const { escalation, task } = shown;
    const title =
      escalation === undefined
        ? element('h1', { text: join([task.id, task.title], ' ') })
        : element(
            'h1',
            { class: `severity ${escalation.severity}` },
            drawing(severityDrawings[escalation.severity]),
            span(`${this.#page.words.severities[escalation.severity]}: ${this.#label(escalation)}`),
          );
    // To decide about an escalation, the user need not read the task's remarks first.
    const first = escalation === undefined || escalation.malformed === true;
    const remarks = shown.warnings.length === 0 ? [] : [this.#remarks(shown.warnings)];
    const asText = button(this.#page.words.openAsText, 'link', () => this.#page.post({ type: 'asText' }));
    this.#head.replaceChildren(
      element('div', { class: 'titleline' }, title, asText),
      ...this.#reason(escalation),
      this.#facts(shown),
      ...this.#state(task),
      ...(first ? remarks : []),
    );
    this.rest.replaceChildren(
      ...this.#others(shown),
      ...this.#overdue(shown),
      ...(first ? [] : remarks),
      ...this.#rejected(shown.rejected),
    );
  }

  #label({ label, malformed }: EscalationItem): string {
    return malformed === true ? fill(this.#page.words.malformed, label) : label;
  }

  /** Returns the description of an escalation, in the sender's words. */
  #reason(escalation: EscalationItem | undefined): readonly HTMLElement[] {
    if (escalation === undefined || escalation.html === '') return [];
    return [richText(element('div', { class: 'body description' }), escalation.html, this.#page)];
  }

  clear(): void {
    this.#head.replaceChildren();
    this.rest.replaceChildren();
  }

  fail({ text, remedies }: Failure): void {
    this.#say(text, ...remedyButtons(this.#page, withRetry(remedies)));
  }

  notReached(): void {
    this.#say(this.#page.words.notReached);
  }

  #say(message: string, ...more: readonly HTMLElement[]): void {
    this.#fault.hidden = false;
    this.#fault.replaceChildren(element('p', {}, drawing('warn'), span(message), ...more));
  }

  #facts({ escalation, task }: ShownTask): HTMLElement {
    const facts = escalation === undefined ? this.#taskFacts(task) : this.#escalationFacts(escalation, task);
    return element('p', { class: 'facts' }, ...dotted(facts));
  }

  #escalationFacts({ from, triggeredBy, time, acked }: EscalationItem, task: TaskItem): readonly Fact[] {
    const { words, locale, post } = this.#page;
    return [
      button(join([task.id, task.title], ' '), 'link', () => post({ type: 'task' })),
      fill(words.from, from),
      triggeredBy === '' || triggeredBy === from ? '' : fill(words.triggeredBy, triggeredBy),
      timeElement(time, locale),
      acked > 0 ? fill(words.acknowledged, agoWords(acked, locale)) : '',
    ];
  }

  #taskFacts({ repo, branch, risk, lastTime }: TaskItem): readonly Fact[] {
    const { words, locale } = this.#page;
    return [
      repo,
      branch === '' ? '' : fill(words.branch, branch),
      risk === '' ? '' : fill(words.risk, risk),
      timeElement(lastTime, locale),
    ];
  }

  /** Returns the task's state as chips. Colours only repeat the words. */
  #state(task: TaskItem): readonly HTMLElement[] {
    const words = this.#page.words;
    const chip = (text: string, kind = ''): HTMLElement =>
      element('span', { class: `chip ${kind}`.trim(), text });
    const next = nextWords(task, words);
    const chips = element(
      'p',
      { class: 'chips' },
      chip(task.state === '' ? task.phase : task.state, phaseTone(task.phase)),
      chip(
        fill(words.rejections, String(task.rejects), String(task.rejectLimit)),
        task.lockNear ? 'bad' : '',
      ),
      next === '' ? undefined : chip(next),
    );
    if (task.suspended.length === 0) return [chips];
    const who = span(fill(words.suspended, task.suspended.join(', ')));
    return [chips, element('p', { class: 'suspended' }, drawing('pause'), who)];
  }

  #remarks(warnings: readonly Warning[]): HTMLElement {
    const lines = warnings.map(({ rule, message }) =>
      element('p', {}, drawing('note'), span(join([message, rule === '' ? '' : `(${rule})`], ' '))),
    );
    return element('div', { class: 'remarks' }, ...lines);
  }

  #others({ others }: ShownTask): readonly HTMLElement[] {
    const { words, post } = this.#page;
    const rows = others.map(({ ref, label, severity, open }) => {
      const link = button(`${words.severities[severity]}: ${label}`, 'link', () =>
        post({ type: 'escalation', ref }),
      );
      const state = span(open ? words.otherOpen : words.answered, 'quiet');
      return element('li', {}, drawing(open ? severityDrawings[severity] : 'ok'), link, state);
    });
    return listSection(words.others, rows);
  }

  #overdue({ overdue }: ShownTask): readonly HTMLElement[] {
    const { words, locale } = this.#page;
    const rows = overdue.map((one) => {
      const text = span(overdueText(one, words, age(one.since, Date.now(), locale)));
      const ago = span(fill(words.overdueSince, agoWords(one.since, locale)), 'quiet');
      return element('li', { title: one.text }, drawing('clock'), text, ago);
    });
    return listSection(words.overdue, rows);
  }

  #rejected(rejected: readonly RejectedItem[]): readonly HTMLElement[] {
    const rows = rejected.map(({ source, path, faults }, index) => {
      const reasons = faults.map(({ rule, field, reason }) =>
        element('li', {}, element('code', { text: rule }), span(join([field, reason], ': '))),
      );
      const open = button(this.#page.words.openFile, 'link', () =>
        this.#page.post({ type: 'rejectedFile', index }),
      );
      return element(
        'li',
        { class: 'refused' },
        element('div', {}, span(source, 'name'), path === '' ? undefined : open),
        element('ul', { class: 'plain' }, ...reasons),
      );
    });
    return listSection(this.#page.words.rejected, rows);
  }
}

type Fact = string | HTMLElement;

/** Puts dots between facts, without the empty ones. */
function dotted(facts: readonly Fact[]): readonly HTMLElement[] {
  const elements = facts
    .filter((fact) => fact !== '')
    .map((fact) => (typeof fact === 'string' ? span(fact) : fact));
  const dot = (): HTMLElement =>
    element('span', { class: 'dot', text: '·', attributes: { 'aria-hidden': 'true' } });
  return elements.flatMap((fact, index) => (index === 0 ? [fact] : [dot(), fact]));
}

/** Makes a part of the page with a heading and a list, or nothing for an empty list. */
export function listSection(
  title: string,
  rows: readonly HTMLElement[],
  kind = 'plain',
): readonly HTMLElement[] {
  return rows.length === 0 ? [] : section(title, element('ul', { class: kind }, ...rows));
}

/** Makes a part of the page with a heading. */
export function section(title: string, ...content: readonly HTMLElement[]): readonly HTMLElement[] {
  return [element('section', {}, element('h2', { text: title }), ...content)];
}

function phaseTone(phase: string): string {
  if (['locked', 'suspended', 'escalated'].includes(phase)) return 'alarm';
  if (['rejected', 'terminated'].includes(phase)) return 'bad';
  return phase === 'approved' ? 'good' : '';
}
