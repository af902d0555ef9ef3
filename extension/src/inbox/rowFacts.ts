// The texts of a row of the inbox, in the same order for every format: its age, who wrote to
// whom, the whole title, and then whatever the row's sign does not show. VS Code cuts what
// does not fit. The tooltip is complete, and screen readers get the title first.

import { fill, join } from '../fill';
import type { AgentThread, Question, SessionThread, ThreadItem } from '../protocol';
import { aliasOf, canResume } from '../agent/resume';
import { sessionState } from '../agent/sessionWords';
import { standsOut } from '../thread/model';
import { attachmentWords, expiryWords, priorityWords } from '../signed/signedWords';
import type { RowWords } from './words';
import { rowLabel } from '../views/rowLabel';
import { age, exactTime, relativeTime, untilWords } from '../when';

/** What a row depends on besides its thread. */
export interface RowContext {
  readonly words: RowWords;
  readonly now: number;
  readonly locale: string;
  /** The user's name in this format, or empty: an alias, or the address of a mailbox. */
  readonly me: string;
  /** Whether this is signed mail in the user's own mailbox. */
  readonly own: boolean;
  /** Whether the user began a reply. */
  readonly draft: boolean;
}

/** One line of a tooltip. The icon before it is decoration. */
export interface TooltipLine {
  readonly sign?: string;
  readonly text: string;
}

export interface Row {
  readonly label: string;
  readonly description: string;
  readonly spoken: string;
  readonly tooltip: readonly TooltipLine[];
  /** The newest message, below the tooltip's lines. Empty if there is none to show. */
  readonly preview: string;
}

/** The meaning of a row's icon. The row's words do not repeat it. */
export type Sign = 'warning' | 'draft' | 'returned' | 'reply' | 'trust' | 'agent' | 'mail';

/** Returns a row's sign. Warnings come first, then what the user may do. */
export function signOf(thread: ThreadItem, draft: boolean): Sign {
  const { agent, amp, needsReply, returned } = thread;
  if (warns(thread)) return 'warning';
  if (draft) return 'draft';
  if (returned === true) return 'returned';
  if (agent !== undefined) return 'agent';
  if (needsReply) return 'reply';
  return amp === undefined ? 'mail' : 'trust';
}

export function rowOf(thread: ThreadItem, context: RowContext): Row {
  const { words, now, locale, draft } = context;
  const { agent, amp, lastTime, title } = thread;
  const name = mailName(thread);
  const { from, to } = parties(thread, context);
  const trust = trustOf(thread, words);
  const sign = signOf(thread, draft);
  const protocol = agent?.session === undefined ? (words.protocols[thread.protocol] ?? thread.protocol) : '';
  const doing = agent === undefined ? '' : sessionState(agent, words.session);
  const ago = relativeTime(lastTime, now, locale);
  const spokenWho = to === '' ? from : fill(words.fromTo, from, to);
  const shelf = snoozedWords(thread, context);
  const special = specialWords(thread, context);
  const rest = restWords(thread, context);
  // Words show the trust and the needed reply if the row's sign shows something else.
  const facts = [
    shelf,
    // The sign shows that the agent waits or failed, but not what for or why.
    (agent?.for ?? '') === '' ? '' : doing,
    ...special,
    sign === 'trust' || sign === 'warning' ? '' : (amp?.trust.label ?? ''),
    sign === 'warning' || sign === 'draft' ? replyWords(thread, words) : '',
    ...rest,
  ];
  const spoken = [
    title,
    draft ? words.draft : '',
    doing,
    thread.returned === true ? words.returned : '',
    shelf,
    thread.archived === true ? words.archived : '',
    ...special,
    ...(doing === '' ? [spokenWho, ago] : [ago, spokenWho]),
    ...trust.spoken,
    ...rest,
    replyWords(thread, words),
    thread.unread > 0 ? fill(words.unread, String(thread.unread)) : '',
    name === '' ? '' : fill(words.thread, name),
    agent?.fault ?? '',
  ];
  return {
    // The recipient is shown unless it is the user.
    label: rowLabel(
      age(lastTime, now, locale),
      to === '' || to === words.you ? from : fill(words.arrow, from, to),
      title,
    ),
    description: join(facts, ' · '),
    spoken: join(spoken, ', '),
    tooltip: tooltipOf(thread, context, { title, name, who: spokenWho, protocol, trust: trust.line }),
    preview: thread.preview === '' ? '' : `${thread.lastFrom}: ${thread.preview}`,
  };
}

/** Returns the words for a thread that needs a reply, unless it came back from snooze. */
function replyWords({ needsReply, returned }: ThreadItem, words: RowWords): string {
  return needsReply && returned !== true ? words.needsReply : '';
}

function snoozedWords({ snoozed = 0 }: ThreadItem, { words, now, locale }: RowContext): string {
  return snoozed > 0 ? fill(words.snoozed, untilWords(snoozed, now, locale)) : '';
}

/** Returns the name that programs use for a mail thread, unless it is the title or an id. */
export function mailName({ agent, amp, name = '', title }: ThreadItem): string {
  return agent === undefined && amp === undefined && name !== title ? name : '';
}

/** Returns who wrote the newest message, and to whom. An agent's own thread has no recipient. */
function parties(
  { lastFrom, lastTo, agent }: ThreadItem,
  { words, me }: RowContext,
): { from: string; to: string } {
  // The server leaves out the domain of an address if it is the user's own.
  const shown = (name: string): string =>
    me !== '' && (name === me || me.startsWith(`${name}@`)) && name !== '' ? words.you : name;
  return agent === undefined ? { from: shown(lastFrom), to: shown(lastTo) } : { from: lastFrom, to: '' };
}

/** Returns the trust in the newest message: for screen readers, and with the reason as a line. */
function trustOf(
  { amp, agent, marks }: ThreadItem,
  words: RowWords,
): { spoken: readonly string[]; line: TooltipLine } {
  if (amp !== undefined) {
    const { label, detail, level } = amp.trust;
    const sign = level === 'ok' ? 'verified' : level === 'note' ? 'info' : 'warning';
    // Warnings are already among the special words.
    return { spoken: level === 'warn' ? [] : [label], line: { sign, text: join([label, detail], ': ') } };
  }
  if (agent !== undefined) {
    const text = agent.session === undefined ? words.agentTrust : words.sessionTrust;
    return { spoken: [], line: { text } };
  }
  if (marks.includes('suspicious')) return { spoken: [], line: { sign: 'warning', text: marks.join(', ') } };
  return { spoken: [], line: { text: `${words.unsigned}: ${words.unsignedDetail}` } };
}

/** Reports whether a thread gets the warning sign. */
function warns({ agent, amp, marks }: ThreadItem): boolean {
  return marks.includes('suspicious') || agent?.fault !== undefined || amp?.trust.level === 'warn';
}

/** Returns the words that warn about a thread: its trust and its marks. */
function warningWords({ amp, marks }: ThreadItem): readonly string[] {
  const trust = amp === undefined || amp.trust.level === 'ok' ? '' : amp.trust.label;
  return [trust, ...marks.filter((mark) => !trust.includes(mark))];
}

/** Returns the words that come first: the priority and the warnings. */
function specialWords(thread: ThreadItem, { words }: RowContext): readonly string[] {
  const { amp } = thread;
  return [
    amp === undefined ? '' : priorityWords(amp.priority, words.signed),
    ...(warns(thread) ? warningWords(thread) : []),
  ];
}

/** Returns the words that come last. */
function restWords(thread: ThreadItem, { words, now, locale, own }: RowContext): readonly string[] {
  const { amp } = thread;
  if (amp === undefined) return warns(thread) ? [] : thread.marks;
  const expiry = expiryWords(amp, words.signed, now, locale);
  return [
    ...(warns(thread) ? [] : thread.marks.filter((mark) => !amp.trust.label.includes(mark))),
    // The trust label may already contain the expiry.
    amp.trust.label.includes(expiry) ? '' : expiry,
    attachmentWords(amp.attachments, words.signed),
    own ? '' : fill(words.signed.mailboxOf, amp.mailbox),
  ];
}

function tooltipOf(
  thread: ThreadItem,
  { words, now, locale, own }: RowContext,
  row: { title: string; name: string; who: string; protocol: string; trust: TooltipLine },
): readonly TooltipLine[] {
  const { agent, amp } = thread;
  const when = `${exactTime(thread.lastTime, locale)} (${relativeTime(thread.lastTime, now, locale)})`;
  const snoozed = thread.snoozed ?? 0;
  const lines: TooltipLine[] = [
    { text: row.title },
    { text: agentWho(thread, words) ?? capital(row.who) },
    { text: when },
    row.trust.sign === undefined
      ? { text: join([row.protocol, row.trust.text], ' · ') }
      : { sign: row.trust.sign, text: row.trust.text },
    row.trust.sign === undefined ? { text: '' } : { text: row.protocol },
    { text: stateWords(thread, words) },
    { sign: 'reply', text: thread.needsReply && thread.returned !== true ? capital(words.needsReply) : '' },
    { sign: 'bell', text: thread.returned === true ? capital(words.returned) : '' },
    { sign: 'clock', text: snoozed > 0 ? fill(words.snoozedUntil, exactTime(snoozed, locale)) : '' },
    { sign: 'archive', text: thread.archived === true ? capital(words.archived) : '' },
    { text: thread.participants.length > 2 ? fill(words.with, thread.participants.join(', ')) : '' },
  ];
  if (amp !== undefined) {
    const { expires = 0 } = amp;
    const expiry = expiryWords(amp, words.signed, now, locale);
    lines.push(
      { text: fill(words.priority, words.signed.priorities[amp.priority] ?? amp.priority) },
      { text: expiry === '' ? '' : `${expiry} (${exactTime(expires, locale)})` },
      { text: attachmentWords(amp.attachments, words.signed) },
      { text: own ? '' : fill(words.signed.mailboxOf, amp.mailbox) },
    );
  }
  if (agent !== undefined) {
    const { fault, session } = agent;
    const unreadable = session === undefined ? words.unreadable : words.sessionUnreadable;
    lines.push(
      ...(session === undefined ? ownThreadLines(agent, words) : sessionLines(session, words)),
      { text: thread.marks.includes('gone') ? words.worktreeGone : '' },
      { sign: 'warning', text: fault === undefined ? '' : fill(unreadable, fault) },
    );
  }
  lines.push({ text: row.name === '' ? '' : capital(fill(words.thread, row.name)) });
  return lines.filter(({ text }) => text !== '');
}

function ownThreadLines({ dir, parent = '', threadId }: AgentThread, words: RowWords): TooltipLine[] {
  return [
    { text: parent === '' ? '' : fill(words.forkedFrom, parent) },
    { text: dir === threadId || threadId === '' ? '' : fill(words.directory, dir) },
  ];
}

function sessionLines(
  { model = '', version = '', folder, id }: SessionThread,
  words: RowWords,
): TooltipLine[] {
  const facts = [
    [words.model, model],
    [words.version, version],
    [words.folder, folder],
    [words.sessionId, id],
  ] as const;
  return facts.map(([label, value]) => ({ text: value === '' ? '' : fill(label, value) }));
}

function agentWho({ agent }: ThreadItem, words: RowWords): string | undefined {
  if (agent === undefined) return undefined;
  const { branch = '' } = agent;
  return branch === '' ? agent.name : fill(words.onBranch, agent.name, branch);
}

function stateWords({ agent, count, unread }: ThreadItem, words: RowWords): string {
  const doing = agent === undefined ? '' : sessionState(agent, words.session);
  if (agent?.session !== undefined) return doing === '' ? '' : fill(words.sessionState, doing);
  return agent === undefined
    ? fill(words.counts, String(count), String(unread))
    : fill(words.toolCalls, String(count), String(agent.toolCalls));
}

function capital(text: string): string {
  return text.slice(0, 1).toLocaleUpperCase() + text.slice(1);
}

/** Returns the row's context value, which the menus' when clauses match. */
export function contextOf(thread: ThreadItem): string {
  return [
    thread.agent === undefined ? 'thread' : 'agent',
    standsOut(thread) ? '.unread' : '.read',
    thread.amp === undefined ? '' : '.signed',
    thread.amp?.archivable === true ? '.own' : '',
    thread.marks.includes('suspicious') ? '.suspicious' : '',
    thread.archived === true ? '.archived' : '',
    (thread.snoozed ?? 0) > 0 ? '.snoozed' : '',
    thread.needsReply ? '.reply' : '',
    thread.noReply === true ? '.noreply' : '',
    canResume(thread) ? '.resume' : '',
    aliasOf(thread) === '' ? '' : '.alias',
    (thread.question?.options ?? []).length > 0 ? '.options' : '',
  ].join('');
}

/** Returns the question in a row of the inbox, or undefined. */
export function questionIn(thread: ThreadItem): Question | undefined {
  const { question, lastFrom: from, lastTime: time } = thread;
  return question === undefined ? undefined : { ...question, thread, from, time };
}
