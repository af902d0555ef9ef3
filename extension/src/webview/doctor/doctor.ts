// The page of the doctor: a table for each section, with buttons for the steps to take.

import { fill } from '../../fill';
import type { FromDoctor, ToDoctor } from '../../setup/doctorMessages';
import type { DoctorRow, DoctorSection } from '../../setup/doctorModel';
import type { DoctorWords } from '../../setup/words';
import { button, element } from '../dom';
import { startPage, type Page } from '../frame';

class DoctorPage {
  readonly #page: Page<DoctorWords, FromDoctor>;
  readonly #summary = element('p', { class: 'summary', attributes: { role: 'status' } });
  readonly #report = element('div');

  constructor(page: Page<DoctorWords, FromDoctor>, root: HTMLElement) {
    this.#page = page;
    const { words, post } = page;
    root.append(
      element('h1', { text: words.title }),
      this.#summary,
      element(
        'p',
        { class: 'again' },
        button(words.again, 'secondary', () => post({ type: 'retry' })),
        button(words.asText, 'link', () => post({ type: 'asText' })),
      ),
      this.#report,
    );
  }

  receive(message: ToDoctor): void {
    if (message.type === 'looking') {
      this.#summary.textContent = this.#page.words.looking;
      return;
    }
    const { sections } = message;
    const wrong = sections.flatMap(({ rows }) => rows).filter(({ verdict }) => verdict === 'bad').length;
    const { words } = this.#page;
    this.#summary.textContent = wrong === 0 ? words.fine : fill(words.wrong, String(wrong));
    this.#report.replaceChildren(...sections.flatMap((section, index) => this.#section(section, index)));
  }

  #section({ title, rows }: DoctorSection, section: number): readonly HTMLElement[] {
    const id = `section-${section}`;
    const head = this.#page.words.columns.map((text) =>
      element('th', { text, attributes: { scope: 'col' } }),
    );
    const table = element(
      'table',
      { attributes: { 'aria-labelledby': id } },
      element('thead', {}, element('tr', {}, ...head)),
      element('tbody', {}, ...rows.map((row, index) => this.#row(row, section, index))),
    );
    return [element('h2', { text: title, attributes: { id } }), table];
  }

  #row({ verdict, what, found, why, steps }: DoctorRow, section: number, row: number): HTMLElement {
    const { words, post } = this.#page;
    const buttons = steps.map(({ label }, step) => {
      const made = button(label, 'link', () => post({ type: 'step', section, row, step }));
      // Many rows have the same button.
      made.setAttribute('aria-label', `${label}: ${what}`);
      return made;
    });
    return element(
      'tr',
      { class: verdict },
      element('td', { class: 'verdict', text: words.verdicts[verdict] }),
      element('th', { text: what, attributes: { scope: 'row' } }),
      element('td', { text: found }),
      element('td', { class: 'quiet', text: why }),
      element('td', { class: 'steps' }, ...buttons),
    );
  }
}

startPage<DoctorWords, ToDoctor, FromDoctor, never>(
  'doctor',
  { type: 'ready' },
  (page, root) => new DoctorPage(page, root),
);
