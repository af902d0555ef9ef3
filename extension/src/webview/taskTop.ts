// The head of the page: which task or escalation this is, and its state. The end
// of the page lists what else belongs to the task.

import type { FromTaskView, ShownTask } from '../task/messages';
import type { TaskWords } from '../task/words';
import { fill, join } from '../fill';
import type { RejectedItem, TaskItem, Warning } from '../protocol';
import { button, drawing, element, type Drawing } from './dom';
import type { Page } from './frame';
import { timeElement } from './times';

/** The icon of each severity. */
export const severityDrawings = {
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
            element('span', {
              text: `${this.#page.words.severities[escalation.severity]}: ${escalation.label}`,
            }),
          );
    this.#head.replaceChildren(
      element('div', { class: 'titleline' }, title, this.#asText()),
      this.#facts(shown),
      ...this.#state(task),
      ...(shown.warnings.length === 0 ? [] : [this.#remarks(shown.warnings)]),
    );
    this.rest.replaceChildren(
      ...this.#others(shown),
      ...this.#overdue(shown),
      ...this.#rejected(shown.rejected),
    );
  }

  clear(): void {
    this.#head.replaceChildren();
    this.rest.replaceChildren();
  }

  fail(message: string): void {
    this.#say(
      message,
      button(this.#page.words.retry, 'link', () => this.#page.post({ type: 'retry' })),
    );
  }

  notReached(): void {
    this.#say(this.#page.words.notReached);
  }

  #say(message: string, ...more: readonly HTMLElement[]): void {
    this.#fault.hidden = false;
    this.#fault.replaceChildren(
      element('p', {}, drawing('warn'), element('span', { text: message }), ...more),
    );
  }

  #asText(): HTMLElement {
    return button(this.#page.words.openAsText, 'link', () => this.#page.post({ type: 'asText' }));
  }

  #facts({ escalation, task }: ShownTask): HTMLElement {
    const words = this.#page.words;
    if (escalation === undefined)
      return element('p', { class: 'facts' }, ...this.#dots(this.#taskFacts(task)));
    const cause =
      escalation.triggeredBy === '' || escalation.triggeredBy === escalation.from
        ? ''
        : fill(words.triggeredBy, escalation.triggeredBy);
    const link = button(join([task.id, task.title], ' '), 'link', () => this.#page.post({ type: 'task' }));
    return element(
      'p',
      { class: 'facts' },
      ...this.#dots([
        link,
        fill(words.from, escalation.from),
        cause,
        timeElement(escalation.time, this.#page.locale),
        escalation.acked > 0
          ? fill(words.acknowledged, timeElement(escalation.acked, this.#page.locale).textContent)
          : '',
      ]),
    );
  }

  #taskFacts(task: TaskItem): readonly (string | HTMLElement)[] {
    const words = this.#page.words;
    return [
      task.repo,
      task.branch === '' ? '' : fill(words.branch, task.branch),
      task.risk === '' ? '' : fill(words.risk, task.risk),
      timeElement(task.lastTime, this.#page.locale),
    ];
  }

  /** Returns the task's state as chips. Colour only repeats the words. */
  #state(task: TaskItem): readonly HTMLElement[] {
    const words = this.#page.words;
    const chip = (text: string, kind = ''): HTMLElement =>
      element('span', { class: `chip ${kind}`.trim(), text });
    const next = join([task.nextWho, task.nextDo], ': ');
    const chips = element(
      'p',
      { class: 'chips' },
      chip(task.state === '' ? task.phase : task.state, phaseTone(task.phase)),
      chip(
        fill(words.rejections, String(task.rejects), String(task.rejectLimit)),
        task.lockNear ? 'bad' : '',
      ),
      next === '' ? undefined : chip(fill(words.next, next)),
    );
    if (task.suspended.length === 0) return [chips];
    const banner = element(
      'p',
      { class: 'suspended' },
      drawing('pause'),
      element('span', { text: fill(words.suspended, task.suspended.join(', ')) }),
    );
    return [chips, banner];
  }

  #remarks(warnings: readonly Warning[]): HTMLElement {
    const lines = warnings.map(({ rule, message }) =>
      element(
        'p',
        {},
        drawing('note'),
        element('span', { text: join([message, rule === '' ? '' : `(${rule})`], ' ') }),
      ),
    );
    return element('div', { class: 'remarks' }, ...lines);
  }

  #others({ others }: ShownTask): readonly HTMLElement[] {
    if (others.length === 0) return [];
    const rows = others.map(({ ref, label, severity, open }) =>
      element(
        'li',
        {},
        drawing(open ? severityDrawings[severity] : 'ok'),
        button(`${this.#page.words.severities[severity]}: ${label}`, 'link', () =>
          this.#page.post({ type: 'escalation', ref }),
        ),
        element('span', {
          class: 'quiet',
          text: open ? this.#page.words.otherOpen : this.#page.words.answered,
        }),
      ),
    );
    return section(this.#page.words.others, element('ul', { class: 'plain' }, ...rows));
  }

  #overdue({ overdue }: ShownTask): readonly HTMLElement[] {
    if (overdue.length === 0) return [];
    const rows = overdue.map(({ label, who, text, since }) =>
      element(
        'li',
        { title: text },
        drawing('clock'),
        element('span', { text: join([label, who], ': ') }),
        element('span', {
          class: 'quiet',
          text: fill(this.#page.words.overdueSince, timeElement(since, this.#page.locale).textContent),
        }),
      ),
    );
    return section(this.#page.words.overdue, element('ul', { class: 'plain' }, ...rows));
  }

  #rejected(rejected: readonly RejectedItem[]): readonly HTMLElement[] {
    if (rejected.length === 0) return [];
    const rows = rejected.map(({ source, path, faults }, index) => {
      const reasons = faults.map(({ rule, field, reason }) =>
        element(
          'li',
          {},
          element('code', { text: rule }),
          element('span', { text: join([field, reason], ': ') }),
        ),
      );
      const open = button(this.#page.words.openFile, 'link', () =>
        this.#page.post({ type: 'rejectedFile', index }),
      );
      return element(
        'li',
        { class: 'refused' },
        element('div', {}, element('span', { class: 'name', text: source }), path === '' ? undefined : open),
        element('ul', { class: 'plain' }, ...reasons),
      );
    });
    return section(this.#page.words.rejected, element('ul', { class: 'plain' }, ...rows));
  }

  /** Puts dots between facts. Empty ones are left out. */
  #dots(facts: readonly (string | HTMLElement)[]): readonly HTMLElement[] {
    return facts
      .filter((fact) => fact !== '')
      .flatMap((fact, index) => [
        ...(index === 0
          ? []
          : [element('span', { class: 'dot', text: '·', attributes: { 'aria-hidden': 'true' } })]),
        typeof fact === 'string' ? element('span', { text: fact }) : fact,
      ]);
  }
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
