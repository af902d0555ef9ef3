// The head of the page: the thread's title and facts, its remarks, and related threads.

import { fill, join } from '../../fill';
import type { ThreadItem, ThreadLink, Trust, Warning } from '../../protocol';
import type { FromView } from '../../thread/messages';
import { sessionProtocol } from '../../refs';
import type { Failure } from '../../server/failureWords';
import { sessionState } from '../../agent/sessionWords';
import type { ThreadWords } from '../../thread/words';
import { copyButton } from '../copyButton';
import { button, drawing, element, folded, span } from '../dom';
import type { Page } from '../frame';
import { remedyButtons, withRetry } from '../remedies';

/** The most remarks that are shown unfolded. */
const remarksShown = 2;

export class Top {
  readonly root: HTMLElement;
  readonly #page: Page<ThreadWords, FromView>;
  readonly #heading = element('h1');
  readonly #facts = element('span');
  readonly #trust = element('span', { class: 'trust' });
  /** The name that commands, links and other programs use for the thread. */
  readonly #name = element('span', { class: 'slug' });
  readonly #related: HTMLElement;
  readonly #banner = element('div', { class: 'banner', attributes: { role: 'status' } });
  #shown = '';

  constructor(page: Page<ThreadWords, FromView>) {
    this.#page = page;
    this.#related = element('nav', {
      class: 'related',
      attributes: { 'aria-label': page.words.agent.related },
    });
    this.#banner.hidden = true;
    this.#related.hidden = true;
    this.root = element(
      'header',
      { class: 'top' },
      this.#heading,
      element('p', { class: 'facts' }, this.#facts, this.#trust, this.#name),
      this.#related,
      this.#banner,
    );
  }

  show(thread: ThreadItem, related: readonly ThreadLink[], warnings: readonly Warning[]): void {
    // Redrawn only if it changed, so that opened remarks stay open.
    const shown = JSON.stringify([thread, related, warnings]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#heading.textContent = thread.title;
    this.#facts.textContent = join(this.#factsOf(thread), ' · ');
    this.#showName(thread);
    this.#showRelated(related);
    const remarks = warnings.map(({ rule, message }) => this.#remark(message, rule));
    const { fault, session } = thread.agent ?? {};
    // The fault is the first of the server's remarks.
    if (fault !== undefined && remarks.length === 0) {
      const { faulty, sessionFaulty } = this.#page.words.agent;
      remarks.push(this.#remark(fill(session === undefined ? faulty : sessionFaulty, fault), ''));
    }
    this.#banner.hidden = remarks.length === 0;
    this.#banner.replaceChildren(...this.#folded(remarks));
  }

  /** Shows the most common trust of the messages. */
  trust(trust: Trust | undefined): void {
    // The normal trust is shown only in the tooltip of the facts.
    const usual = trust?.level === 'ok';
    this.#trust.textContent = trust?.label ?? '';
    this.#trust.title = trust?.detail ?? '';
    this.#trust.hidden = trust === undefined || usual;
    this.#facts.title = usual ? join([trust.label, trust.detail], '\n') : '';
  }

  /** Shows a title and facts without a thread. */
  name(title: string, facts = ''): void {
    this.#shown = '';
    this.#heading.textContent = title;
    this.#facts.textContent = facts;
    this.#name.replaceChildren();
    this.#showRelated([]);
  }

  /** Shows one message in place of the remarks. */
  say(message: string): void {
    this.#shown = '';
    this.#banner.hidden = false;
    this.#banner.replaceChildren(this.#remark(message, ''));
  }

  fail({ text, remedies }: Failure): void {
    this.say(text);
    const line = this.#banner.firstElementChild;
    line?.classList.add('error');
    line?.append(...remedyButtons(this.#page, withRetry(remedies)));
  }

  #showName({ name = '', title, agent, amp }: ThreadItem): void {
    this.#name.replaceChildren();
    if (name === '' || name === title) return;
    // Names that a program made are ids without a meaning for the user.
    const numbered = agent?.session !== undefined || amp !== undefined;
    const copy = copyButton(this.#page, 'link', numbered ? this.#page.words.copyId : name, () => name);
    copy.title = this.#page.words.copyName;
    this.#name.replaceChildren(copy);
  }

  #factsOf(thread: ThreadItem): readonly string[] {
    const { agent: words } = this.#page.words;
    const count = this.#messages(thread.count);
    const { agent } = thread;
    if (agent === undefined) {
      const archived = thread.amp?.archived === true ? this.#page.words.signed.archived : '';
      return [thread.participants.join(', '), count, archived];
    }
    const { branch = '', parent = '', session } = agent;
    const doing = sessionState(agent, words.session);
    if (session !== undefined) {
      const where = branch === '' ? '' : fill(words.branch, branch);
      return [doing, agent.name, session.model ?? '', where, ...thread.marks];
    }
    return [
      doing,
      agent.name,
      branch === '' ? '' : fill(words.branch, branch),
      // The count is in thread.json, which cannot be read.
      agent.fault === undefined ? count : '',
      agent.toolCalls === 0 ? '' : this.#number(agent.toolCalls, words.oneToolCall, words.toolCalls),
      parent === '' ? '' : fill(words.forkOf, parent),
      ...thread.marks,
    ];
  }

  #messages(count: number): string {
    return this.#number(count, this.#page.words.oneMessage, this.#page.words.messageCount);
  }

  #number(value: number, one: string, many: string): string {
    return value === 1 ? one : fill(many, value.toLocaleString(this.#page.locale));
  }

  #showRelated(related: readonly ThreadLink[]): void {
    const { agent: words } = this.#page.words;
    this.#related.hidden = related.length === 0;
    this.#related.replaceChildren(
      span(words.related, 'quiet'),
      ...related.map(({ ref, agent, title, count }) => {
        const text =
          ref.protocol === sessionProtocol
            ? words.relatedSession
            : agent
              ? words.relatedAgent
              : words.relatedMail;
        return button(fill(text, title, this.#messages(count)), 'link', () =>
          this.#page.post({ type: 'thread', ref }),
        );
      }),
    );
  }

  #folded(remarks: readonly HTMLElement[]): readonly HTMLElement[] {
    if (remarks.length <= remarksShown) return remarks;
    const text = fill(this.#page.words.agent.remarks, remarks.length.toLocaleString(this.#page.locale));
    return [folded('', [drawing('warn'), span(text)], element('div', { class: 'remarks' }, ...remarks))];
  }

  #remark(message: string, rule: string): HTMLElement {
    const build = rule === '' ? {} : { title: rule };
    return element('p', build, drawing('warn'), span(message));
  }
}
