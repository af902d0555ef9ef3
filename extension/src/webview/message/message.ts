// One message of a thread.

import { fill, join } from '../../fill';
import type { MessageItem, Turn } from '../../protocol';
import { isMasked } from '../../thread/model';
import { receiptText } from '../../thread/receipt';
import type { ThreadWords } from '../../thread/words';
import { endsNormally, toolsOf, totalsOf } from '../../thread/flow';
import { clockTime, dayWords, durationWords, exactTime } from '../../when';
import { button, drawing, element, span } from '../dom';
import type { Mark } from './outline';
import { richText } from '../richText';
import { depthClass, replyWords, signedFoot, signedHead, type RowContext } from './signed';
import type { ThreadPage } from './threadPage';
import { foldedRun, runWords } from './toolRun';
import { clockElement } from '../times';
import { partElement, turnElement } from './turn';

export function messageElement(message: MessageItem, context: RowContext, page: ThreadPage): HTMLLIElement {
  const { turn, amp } = message;
  const { words, locale, post } = page;
  const { follows } = context.beginning;
  if (turn?.gap !== undefined) return gapElement(message, turn.gap, page);
  const name = nameOf(message, page);
  const spoken = [
    name,
    turn === undefined || message.to === '' ? '' : `${words.to} ${message.to}`,
    exactTime(message.time, locale),
    ...(amp === undefined ? [] : [replyWords(amp, context.parent, words.signed), message.trust.label]),
  ];
  const article = element('article', {
    class: 'message',
    attributes: { 'aria-label': join(spoken, ', ') },
  });
  article.tabIndex = 0;
  if (message.mine) article.classList.add('mine');
  if (message.trust.level === 'warn') article.classList.add('warned');
  if (follows) article.classList.add('follows');
  if (turn !== undefined) {
    if (!follows) article.append(avatarOf(message, name, page), turnHead(message, turn, page));
    const shown = turnElement(turn, message, page);
    shown.append(...sendAgain(message, page));
    article.append(shown);
    return marked(rowElement('row', message, context, page, article), [message]);
  }
  const text = body(message, page);
  if (amp !== undefined) {
    text.prepend(...signedHead(message, amp, context, page));
    text.append(...signedFoot(message, amp, page));
  }
  text.append(...states(message, page));
  if (!follows) article.append(avatarOf(message, name, page), head(message, context, page));
  article.append(text);
  const answer = button('', 'icon answer', () => post({ type: 'answer', message: message.ref }));
  answer.title = words.reply;
  answer.setAttribute('aria-label', `${words.reply}: ${message.from}`);
  answer.append(drawing('reply'));
  article.append(element('div', { class: 'actions' }, answer));
  return rowElement(`row${amp === undefined ? '' : depthClass(amp)}`, message, context, page, article);
}

/** Makes one row of messages that have only tool calls: a summary line, with the calls folded below it. */
export function runElement(
  messages: readonly [MessageItem, ...MessageItem[]],
  context: RowContext,
  page: ThreadPage,
): HTMLLIElement {
  const [message] = messages;
  const { words, locale } = page;
  const { follows } = context.beginning;
  const name = nameOf(message, page);
  const summary = runWords(messages.flatMap(toolsOf), words);
  const spoken = [name, exactTime(message.time, locale), summary];
  const article = element('article', { class: 'message', attributes: { 'aria-label': join(spoken, ', ') } });
  article.tabIndex = 0;
  if (follows) article.classList.add('follows');
  else if (message.turn !== undefined)
    article.append(avatarOf(message, name, page), turnHead(message, message.turn, page));
  const made = messages.flatMap((one) =>
    (one.turn?.parts ?? []).map((part) => ({ part, shown: partElement(part, one, page) })),
  );
  article.append(element('div', { class: 'body parts' }, ...foldedRun(made, words)));
  return marked(rowElement('row', message, context, page, article), messages);
}

/** Sets the mark of a row for the outline: prompt, failure or edit. */
function marked(row: HTMLLIElement, messages: readonly MessageItem[]): HTMLLIElement {
  const { edits, failed } = totalsOf(messages.flatMap(toolsOf));
  const prompt = messages.some(({ mine }) => mine);
  const mark: Mark | undefined = prompt ? 'prompt' : failed > 0 ? 'failure' : edits > 0 ? 'edit' : undefined;
  if (mark !== undefined) row.dataset['mark'] = mark;
  return row;
}

/** Puts the day or the pause before a message, if one begins there. */
function rowElement(
  name: string,
  { time }: MessageItem,
  { beginning: { day, pause } }: RowContext,
  { words, locale }: ThreadPage,
  article: HTMLElement,
): HTMLLIElement {
  const text = day
    ? dayWords(time, Date.now(), locale)
    : pause > 0
      ? fill(words.later, durationWords(pause, locale))
      : '';
  const line = text === '' ? undefined : element('div', { class: day ? 'day' : 'day pause' }, span(text));
  return element('li', { class: name }, line, article);
}

/** Returns the name of a message's author. The reader is "You". */
function nameOf({ from, mine, turn }: MessageItem, { words }: ThreadPage): string {
  if (mine) return words.yourself;
  return from === turn?.role ? (words.agent.roles[from] ?? from) : from;
}

/** Returns lines with the outcome of a question, and of a message of the user's own. */
function states({ asked, answer = '', mine, receipt }: MessageItem, page: ThreadPage): HTMLElement[] {
  const { words, locale } = page;
  const lines: HTMLElement[] = [];
  const asks = askedWords(asked, answer, mine, words);
  if (asks !== '') lines.push(element('p', { class: 'state asked', text: asks }));
  // The line above reports an answered question.
  if (receipt !== undefined && !(receipt.state === 'answered' && asked === 'answered')) {
    const { alias, state, time } = receipt;
    const text = fill(receiptText(receipt, words), alias, clockTime(time, Date.now(), locale));
    const title = time > 0 ? { title: exactTime(time, locale) } : {};
    lines.push(element('p', { class: state === 'nobody' ? 'state nobody' : 'state', text, ...title }));
  }
  return lines;
}

/** Returns the button that sends a message again which an agent's program did not deliver to another agent. */
function sendAgain({ ref, receipt }: MessageItem, { words, post }: ThreadPage): HTMLElement[] {
  if (receipt?.state !== 'lost') return [];
  return [button(words.receipts.sendAgain, 'secondary', () => post({ type: 'again', message: ref }))];
}

function askedWords(asked: string | undefined, answer: string, mine: boolean, words: ThreadWords): string {
  if (asked === 'answered') return answer === '' ? words.answeredSomehow : fill(words.answered, answer);
  if (asked === 'overtaken') return words.overtaken;
  // A question to the user needs no words: its options or the reply box are shown.
  return asked === 'open' && mine ? words.asked : '';
}

/** Makes a row in place of a message whose line could not be read. */
function gapElement(message: MessageItem, reason: string, { words }: ThreadPage): HTMLLIElement {
  const { line } = message.origin;
  // The records of a session have no line numbers to look up.
  const text = line > 0 ? fill(words.agent.gap, String(line), reason) : fill(words.agent.sessionGap, reason);
  const article = element('article', { class: 'gap', attributes: { 'aria-label': text } });
  article.tabIndex = 0;
  article.append(drawing('warn'), span(text));
  return element('li', { class: 'row' }, article);
}

/** Makes the avatar of a message. The user's avatar has the initial of their name. */
function avatarOf({ mine }: MessageItem, name: string, { me }: ThreadPage): HTMLElement {
  return mine ? avatar(name, first(me() || name).toUpperCase()) : avatar(name);
}

function avatar(name: string, initial = ''): HTMLElement {
  // The part of an address after the @ is left out: it would make all avatars look alike.
  const letters = name
    .replace(/(?<=.)@.*$/, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .split(' ');
  const initials =
    initial ||
    (letters.length > 1 ? `${first(letters[0])}${first(letters[1])}` : (letters[0] ?? '?').slice(0, 2));
  let sum = 0;
  for (const letter of name) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 997;
  const made = element('div', { class: `avatar tint${sum % 6}`, text: initials || '?' });
  made.setAttribute('aria-hidden', 'true');
  return made;
}

function first(word: string | undefined): string {
  return /^./u.exec(word ?? '')?.[0] ?? '';
}

function head(message: MessageItem, context: RowContext, page: ThreadPage): HTMLElement {
  const { words, locale } = page;
  const name = element('span', { class: 'from', text: nameOf(message, page), title: message.from });
  return element(
    'header',
    { class: 'head' },
    name,
    span(`${words.to} ${message.to}`, 'to'),
    clockElement(message.time, locale),
    ...facts(message, context, words.idForms),
  );
}

/** Makes the head of an agent's turn: its author, role, receiver, time and model. */
function turnHead(message: MessageItem, turn: Turn, page: ThreadPage): HTMLElement {
  const { words, locale } = page;
  const role = words.agent.roles[turn.role] ?? turn.role;
  const { stopReason = '', model = '' } = turn;
  const stopped = endsNormally(message) ? [] : [fill(words.agent.stopped, stopReason)];
  return element(
    'header',
    { class: 'head' },
    span(nameOf(message, page), 'from'),
    message.from === turn.role || role === '' || turn.role === 'agent' || message.mine
      ? undefined
      : element('span', { class: 'role', text: role, title: message.id }),
    message.to === '' ? undefined : span(`${words.to} ${message.to}`, 'to'),
    clockElement(message.time, locale),
    model === '' ? undefined : span(model, 'to'),
    ...(message.trust.level === 'ok' ? [] : [trustElement(message)]),
    ...[...stopped, ...marksOf(message)].map((note) => span(note, 'mark')),
    isMasked(message) ? hiddenKeys(page) : undefined,
  );
}

function marksOf(message: MessageItem): readonly string[] {
  return isMasked(message) ? [] : message.marks;
}

/** Makes the mark for hidden keys and tokens, with the button that shows them. */
function hiddenKeys({ words, post }: ThreadPage): HTMLElement {
  const { keysHidden, showKeys } = words.agent;
  const show = button(showKeys, 'link', () => post({ type: 'secrets' }));
  show.setAttribute('aria-label', `${showKeys}: ${keysHidden}`);
  return element('span', { class: 'masked' }, span(keysHidden, 'mark'), show);
}

/** Returns the trust badge, the form of the id if it is unusual, and the server's marks. */
function facts(
  message: MessageItem,
  { trust: usual }: RowContext,
  idForms: Readonly<Record<string, string>>,
): HTMLElement[] {
  const form = idForms[message.idForm] ?? message.idForm;
  // Marks that the trust badge names are left out.
  const marks = message.marks.filter((mark) => !message.trust.label.includes(mark));
  const notes = form === '' ? marks : [form, ...marks];
  // Signed mail shows its trust on a line of its own, with the reasons.
  // The most common trust is shown in the page's head.
  const shownElsewhere =
    message.amp !== undefined || message.trust.label === usual || message.trust.level === 'ok';
  const trust = shownElsewhere ? [] : [trustElement(message)];
  return [...trust, ...notes.map((note) => span(note, 'mark'))];
}

function trustElement({ trust, id, origin }: MessageItem): HTMLElement {
  const title = join([trust.detail, id, `${origin.log}:${origin.line}`], '\n');
  return element('span', { class: `trust ${trust.level}`, title }, drawing(trust.level), span(trust.label));
}

function body(message: MessageItem, page: ThreadPage): HTMLElement {
  const { words, post } = page;
  const made = richText(element('div', { class: 'body' }), message.html, page);
  if (message.truncated) {
    made.classList.add('long');
    const note = element('p', { class: 'cut', text: `${words.truncated} ` });
    note.append(button(words.openAsText, 'link', () => post({ type: 'asText' })));
    made.append(note);
  }
  return made;
}
