// The parts of the page that only an escalation has: its answer above the form, and below the
// form the affected messages and the task as its sender saw it. The description is under the
// title.

import { fill, join } from '../../fill';
import type { EscalationItem, TaskMessage } from '../../protocol';
import type { FromTaskView, ShownTask } from '../../task/messages';
import type { TaskWords } from '../../task/words';
import { button, drawing, element, span } from '../dom';
import type { Page } from '../frame';
import { listSection, section } from './taskTop';
import { agoWords } from '../times';

export class EscalationPart {
  readonly root = element('div', { class: 'escalation' });
  /** The part below the form. */
  readonly context = element('div', { class: 'context' });
  readonly #page: Page<TaskWords, FromTaskView>;
  #shown = '';

  constructor(page: Page<TaskWords, FromTaskView>) {
    this.#page = page;
  }

  show({ escalation, acknowledge }: ShownTask): void {
    // Rebuilt only if it changed, so that a button stays under the pointer.
    const content = JSON.stringify([escalation, acknowledge]);
    this.root.hidden = escalation === undefined;
    this.context.hidden = this.root.hidden;
    if (content === this.#shown) return;
    this.#shown = content;
    if (escalation === undefined) {
      this.root.replaceChildren();
      this.context.replaceChildren();
      return;
    }
    this.root.replaceChildren(
      ...(escalation.malformed === true ? this.#malformed(escalation) : []),
      ...this.#answer(escalation),
      ...(acknowledge === undefined ? [] : [this.#acknowledge(acknowledge.can, acknowledge.reason)]),
    );
    this.context.replaceChildren(...this.#affected(escalation.affected), ...this.#snapshot(escalation));
  }

  #answer({ answer }: EscalationItem): readonly HTMLElement[] {
    if (answer === undefined) return [];
    const { words, locale } = this.#page;
    const when = agoWords(answer.time, locale);
    const line = element('strong', { text: fill(words.yourAnswer, words.actions[answer.action], when) });
    const head = element('p', { class: 'answered' }, drawing('ok'), line);
    const text = answer.text === '' ? undefined : element('p', { class: 'said', text: answer.text });
    return [element('div', { class: 'answer-given', attributes: { role: 'status' } }, head, text)];
  }

  /** Returns the suggestions of a malformed escalation, which can only be read, and a button for its file. */
  #malformed({ suggested }: EscalationItem): readonly HTMLElement[] {
    const { words, post } = this.#page;
    const open = button(words.openFile, 'secondary', () => post({ type: 'malformedFile' }));
    const rows = suggested.map(({ text }) => element('li', { text }));
    return [
      ...listSection(words.suggestedThen, rows, 'suggested'),
      element('p', { class: 'line' }, open, span(words.malformedHint, 'quiet')),
    ];
  }

  #acknowledge(can: boolean, reason: string): HTMLElement {
    const { words, post } = this.#page;
    const press = button(words.acknowledge, 'secondary acknowledge', () => post({ type: 'acknowledge' }));
    press.disabled = !can;
    return element('p', { class: 'line' }, press, span(can ? words.acknowledgeHint : reason, 'quiet'));
  }

  #affected(affected: readonly TaskMessage[]): readonly HTMLElement[] {
    const rows = affected.map((message) => element('li', {}, this.#mention(message)));
    return listSection(this.#page.words.affected, rows, 'plain mentions');
  }

  /** Returns a link to a step of the timeline, or the name of a message that the timeline does not have. */
  #mention({ id, ref, label }: TaskMessage): HTMLElement {
    if (ref === undefined) return span(join([label, id], ' · '), 'quiet');
    const link = button(label === '' ? id : label, 'link', () => this.#page.post({ type: 'mention', ref }));
    link.title = id;
    return link;
  }

  #snapshot({ snapshot }: EscalationItem): readonly HTMLElement[] {
    const { status, rejectCount, lastSuccessful } = snapshot;
    const list = element('dl', { class: 'snapshot' });
    const add = (name: string, value: HTMLElement): void =>
      list.append(element('dt', { text: name }), element('dd', {}, value));
    add(this.#page.words.snapshotStatus, span(status));
    add(this.#page.words.snapshotRejects, span(String(rejectCount)));
    if (lastSuccessful !== undefined) add(this.#page.words.snapshotLast, this.#mention(lastSuccessful));
    return section(this.#page.words.snapshot, list);
  }
}
