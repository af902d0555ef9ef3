// What only a signed message has: how far it can be trusted and why, what it
// replies to, its subject, its context, what is suspicious or wrong about it.

import { fill } from '../fill';
import type { AmpMessage, MessageItem } from '../protocol';
import { expiryWords, priorityWords, sameSubject, type SignedWords } from '../thread/signedWords';
import type { ThreadWords } from '../thread/words';
import { exactTime } from '../when';
import { addCopy, type MessageActions } from './actions';
import { button, drawing, element } from './dom';
import { filesElement } from './files';

/** Deeper replies are not moved further: the words still say what they answer. */
const deepest = 6;

/** Where a message stands in the conversation. */
export interface Standing {
  /** The thread's title. */
  readonly title: string;
  /** Who wrote what it replies to, where that is loaded. */
  readonly parent: string | undefined;
}

/** The class that moves a row in. */
export function depthClass({ depth }: AmpMessage): string {
  return depth > 0 ? ` deep depth${Math.min(depth, deepest)}` : '';
}

/** What it replies to, in words; empty for a beginning. */
export function replyWords(amp: AmpMessage, parent: string | undefined, words: SignedWords): string {
  if (parent !== undefined) return fill(words.replyTo, parent);
  if (amp.missing !== undefined && amp.missing !== '') return fill(words.replyToMissing, amp.missing);
  return amp.parent === undefined ? '' : words.replyFurtherUp;
}

/** The lines between the head and the text. */
export function signedHead(
  message: MessageItem,
  amp: AmpMessage,
  standing: Standing,
  words: ThreadWords,
  locale: string,
  actions: MessageActions,
): readonly HTMLElement[] {
  const { signed } = words;
  return [
    reply(amp, standing.parent, signed, actions),
    facts(message, amp, words, locale),
    sameSubject(amp.subject, standing.title)
      ? undefined
      : element(
          'p',
          { class: 'subject' },
          element('span', { class: 'label', text: `${signed.subject}: ` }),
          element('span', { text: amp.subject }),
        ),
    ...amp.faults.map(({ rule, message: text }) => hint('warn', `${signed.fault} ${rule}: ${text}`)),
    amp.flags.length === 0
      ? undefined
      : hint('note', fill(signed.flags, amp.flags.map((flag) => signed.flagNames[flag] ?? flag).join(', '))),
  ].filter((part) => part !== undefined);
}

/** The parts below the text. */
export function signedFoot(
  message: MessageItem,
  amp: AmpMessage,
  words: ThreadWords,
  locale: string,
  actions: MessageActions,
): readonly HTMLElement[] {
  const parts: HTMLElement[] = [];
  if (amp.context !== undefined && amp.context !== '') parts.push(context(amp.context, words, actions));
  if (amp.attachments.length > 0) parts.push(filesElement(message, amp.attachments, words, locale, actions));
  return parts;
}

function reply(
  amp: AmpMessage,
  parent: string | undefined,
  words: SignedWords,
  actions: MessageActions,
): HTMLElement | undefined {
  const text = replyWords(amp, parent, words);
  const { parent: ref } = amp;
  if (text === '') return undefined;
  if (parent === undefined || ref === undefined) return element('p', { class: 'answers quiet', text });
  const go = button(text, 'link', () => actions.reveal(ref));
  return element('p', { class: 'answers' }, drawing('reply'), go);
}

/** Trust, priority, type and expiry in a line; unfolded, what the trust is founded on. */
function facts(message: MessageItem, amp: AmpMessage, words: ThreadWords, locale: string): HTMLElement {
  const { signed } = words;
  const { trust } = message;
  const priority = priorityWords(amp.priority, signed);
  const expiry = expiryWords(amp, signed, Date.now(), locale);
  const summary = element(
    'summary',
    {},
    drawing('chevron'),
    element(
      'span',
      { class: `trust ${trust.level}` },
      drawing(trust.level),
      element('span', { text: trust.label }),
    ),
    priority === '' ? undefined : element('span', { class: `chip ${amp.priority}`, text: priority }),
    amp.type === '' ? undefined : element('span', { class: 'mark', text: amp.type, title: signed.type }),
    expiry === '' || trust.label.includes(expiry)
      ? undefined
      : element('span', { class: 'mark', text: expiry, title: exactTime(amp.expires ?? 0, locale) }),
    amp.status === 'archived' ? element('span', { class: 'mark', text: signed.archived }) : undefined,
  );
  const rows: readonly (readonly [string, string])[] = [
    [signed.trust, trust.detail],
    [signed.step, amp.step ?? ''],
    [signed.key, amp.key ?? ''],
    [signed.id, message.id],
    [signed.file, message.origin.log],
  ];
  const list = element('dl');
  for (const [name, value] of rows) {
    if (value === '') continue;
    list.append(element('dt', { text: name }), element('dd', { text: value }));
  }
  return element('details', { class: 'why' }, summary, element('div', { class: 'inside' }, list));
}

function hint(sign: 'warn' | 'note', text: string): HTMLElement {
  return element('p', { class: `hint-line ${sign}` }, drawing(sign), element('span', { text }));
}

function context(json: string, words: ThreadWords, actions: MessageActions): HTMLElement {
  const { signed } = words;
  const pre = element(
    'pre',
    { attributes: { 'aria-label': signed.context } },
    element('code', { text: json }),
  );
  const inside = element('div', { class: 'inside' }, pre);
  addCopy(pre, words, actions);
  return element(
    'details',
    { class: 'tool context' },
    element('summary', {}, drawing('chevron'), element('span', { class: 'name', text: signed.context })),
    inside,
  );
}
