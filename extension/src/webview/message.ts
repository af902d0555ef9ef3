// One message of the conversation.

import type { MessageItem } from '../protocol';
import type { ThreadWords } from '../threadMessages';
import { exactTime, relativeTime } from '../when';
import { button, drawing, element } from './dom';
import { safeFragment } from './safeHtml';

/** What a message's buttons do. */
export interface MessageActions {
  copy(text: string): void;
  answer(message: MessageItem): void;
  openAsText(): void;
}

/** Builds the list item of a message. `joined` leaves out the sender: the message above is the same one's. */
export function messageElement(
  message: MessageItem,
  words: ThreadWords,
  locale: string,
  actions: MessageActions,
): HTMLLIElement {
  const article = element('article', {
    class: 'message',
    attributes: { 'aria-label': `${message.from}, ${exactTime(message.time, locale)}` },
  });
  article.tabIndex = 0;
  if (message.mine) article.classList.add('mine');
  if (message.trust.level === 'warn') article.classList.add('warned');
  article.append(avatar(message.from), head(message, words, locale), body(message, words, actions));
  const answer = button('', 'icon answer', () => {
    actions.answer(message);
  });
  answer.title = words.reply;
  answer.setAttribute('aria-label', `${words.reply}: ${message.from}`);
  answer.append(drawing('reply'));
  article.append(element('div', { class: 'actions' }, answer));
  return element('li', { class: 'row' }, article);
}

function avatar(name: string): HTMLElement {
  const letters = name
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .split(' ');
  const initials =
    letters.length > 1 ? `${first(letters[0])}${first(letters[1])}` : (letters[0] ?? '?').slice(0, 2);
  let sum = 0;
  for (const letter of name) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 997;
  const made = element('div', { class: `avatar tint${sum % 6}`, text: initials || '?' });
  made.setAttribute('aria-hidden', 'true');
  return made;
}

function first(word: string | undefined): string {
  return /^./u.exec(word ?? '')?.[0] ?? '';
}

function head(message: MessageItem, words: ThreadWords, locale: string): HTMLElement {
  const time = element('time', {
    text: relativeTime(message.time, Date.now(), locale),
    title: exactTime(message.time, locale),
    attributes: { 'data-time': String(message.time) },
  });
  return element(
    'header',
    { class: 'head' },
    element('span', { class: 'from', text: message.from }),
    message.mine ? element('span', { class: 'you', text: words.you }) : undefined,
    element('span', { class: 'to', text: `${words.to} ${message.to}` }),
    time,
    ...facts(message, words),
  );
}

/** Trust in words beside its sign, the form of the id where it is not the usual one, the server's marks. */
function facts(message: MessageItem, words: ThreadWords): HTMLElement[] {
  const trust = element(
    'span',
    { class: `trust ${message.trust.level}`, title: trustTitle(message) },
    drawing(message.trust.level),
    element('span', { text: message.trust.label }),
  );
  const form = words.idForms[message.idForm] ?? message.idForm;
  // What the trust badge already says is not said again.
  const marks = message.marks.filter((mark) => !message.trust.label.includes(mark));
  const notes = [...(form === '' ? [] : [form]), ...marks];
  return [trust, ...notes.map((note) => element('span', { class: 'mark', text: note }))];
}

function trustTitle(message: MessageItem): string {
  const origin = `${message.origin.log}:${message.origin.line}`;
  return [message.trust.detail, message.id, origin].filter((part) => part !== '').join('\n');
}

function body(message: MessageItem, words: ThreadWords, actions: MessageActions): HTMLElement {
  const made = element('div', { class: 'body' });
  made.append(safeFragment(message.html, document));
  for (const pre of made.querySelectorAll('pre')) addCopy(pre, words, actions);
  for (const table of made.querySelectorAll('table')) {
    // A wide table scrolls by itself instead of widening the conversation.
    const frame = element('div', { class: 'wide' });
    frame.tabIndex = 0;
    table.replaceWith(frame);
    frame.append(table);
  }
  if (message.truncated) {
    const note = element('p', { class: 'cut', text: `${words.truncated} ` });
    note.append(
      button(words.openAsText, 'link', () => {
        actions.openAsText();
      }),
    );
    made.append(note);
  }
  return made;
}

function addCopy(pre: HTMLPreElement, words: ThreadWords, actions: MessageActions): void {
  const text = pre.textContent;
  const frame = element('div', { class: 'code' });
  const label = element('span', { text: words.copy });
  const copy = button('', 'copy', () => {
    actions.copy(text.replace(/\n$/, ''));
    label.textContent = words.copied;
    setTimeout(() => {
      label.textContent = words.copy;
    }, 1_500);
  });
  copy.append(drawing('copy'), label);
  pre.replaceWith(frame);
  pre.tabIndex = 0;
  frame.append(pre, copy);
}
