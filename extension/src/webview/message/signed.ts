// The parts that only signed messages have: trust and its reasons, the message that they
// reply to, subject, context, warnings.

import { fill } from '../../fill';
import type { AmpMessage, MessageItem } from '../../protocol';
import type { Beginning } from '../../thread/flow';
import { expiryWords, priorityWords, sameSubject, type SignedWords } from '../../signed/signedWords';
import { exactTime } from '../../when';
import { addCodeButtons } from '../codeButtons';
import { button, drawing, element, folded, span } from '../dom';
import { filesElement } from './files';
import type { ThreadPage } from './threadPage';

/** The deepest indentation. Deeper replies are not indented further. */
const deepest = 6;

/** The facts about a message's thread that its row is drawn from. */
export interface RowContext {
  readonly title: string;
  /** The author of the message that it answers, if that message is loaded. */
  readonly parent: string | undefined;
  /** How it begins, compared with the message before it. */
  readonly beginning: Beginning;
  /** The label of the trust that the page's head shows. */
  readonly trust: string;
}

/** Returns the class that indents a row. */
export function depthClass({ depth }: AmpMessage): string {
  return depth > 0 ? ` deep depth${Math.min(depth, deepest)}` : '';
}

/** Returns words for the message that a message replies to; empty if it is not a reply. */
export function replyWords(amp: AmpMessage, parent: string | undefined, words: SignedWords): string {
  if (parent !== undefined) return fill(words.replyTo, parent);
  if (amp.missing !== undefined && amp.missing !== '') return fill(words.replyToMissing, amp.missing);
  return amp.parent === undefined ? '' : words.replyFurtherUp;
}

/** Returns the lines between the head and the text. */
export function signedHead(
  message: MessageItem,
  amp: AmpMessage,
  context: RowContext,
  page: ThreadPage,
): readonly HTMLElement[] {
  const { signed } = page.words;
  return [
    reply(amp, context.parent, page),
    facts(message, amp, page),
    sameSubject(amp.subject, context.title)
      ? undefined
      : element('p', { class: 'subject' }, span(`${signed.subject}: `, 'label'), span(amp.subject)),
    ...amp.faults.map(({ rule, message: text }) => hint('warn', `${signed.fault} ${rule}: ${text}`)),
    amp.flags.length === 0
      ? undefined
      : hint('note', fill(signed.flags, amp.flags.map((flag) => signed.flagNames[flag] ?? flag).join(', '))),
  ].filter((part) => part !== undefined);
}

/** Returns the parts below the text. */
export function signedFoot(message: MessageItem, amp: AmpMessage, page: ThreadPage): readonly HTMLElement[] {
  const parts: HTMLElement[] = [];
  if (amp.context !== undefined && amp.context !== '') parts.push(contextElement(amp.context, page));
  if (amp.attachments.length > 0) parts.push(filesElement(message, amp.attachments, page));
  return parts;
}

function reply(amp: AmpMessage, parent: string | undefined, page: ThreadPage): HTMLElement | undefined {
  const text = replyWords(amp, parent, page.words.signed);
  const { parent: ref } = amp;
  if (text === '') return undefined;
  if (parent === undefined || ref === undefined) return element('p', { class: 'answers quiet', text });
  const go = button(text, 'link', () => page.reveal(ref));
  return element('p', { class: 'answers' }, drawing('reply'), go);
}

/** Makes the line with trust, priority, type and expiry. It unfolds to the reasons for the trust. */
function facts(message: MessageItem, amp: AmpMessage, { words, locale }: ThreadPage): HTMLElement {
  const { signed } = words;
  const { trust } = message;
  const priority = priorityWords(amp.priority, signed);
  const expiry = expiryWords(amp, signed, Date.now(), locale);
  const label = [
    element('span', { class: `trust ${trust.level}` }, drawing(trust.level), span(trust.label)),
    priority === '' ? undefined : span(priority, `chip ${amp.priority}`),
    amp.type === '' ? undefined : element('span', { class: 'mark', text: amp.type, title: signed.type }),
    expiry === '' || trust.label.includes(expiry)
      ? undefined
      : element('span', { class: 'mark', text: expiry, title: exactTime(amp.expires ?? 0, locale) }),
    amp.status === 'archived' ? span(signed.archived, 'mark') : undefined,
  ];
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
  return folded('why', label, element('div', { class: 'inside' }, list));
}

function hint(sign: 'warn' | 'note', text: string): HTMLElement {
  return element('p', { class: `hint-line ${sign}` }, drawing(sign), span(text));
}

function contextElement(json: string, page: ThreadPage): HTMLElement {
  const { signed } = page.words;
  const pre = element(
    'pre',
    { attributes: { 'aria-label': signed.context } },
    element('code', { text: json }),
  );
  const inside = element('div', { class: 'inside' }, pre);
  addCodeButtons(pre, page);
  return folded('tool context', [span(signed.context, 'name')], inside);
}
