// What a row of the inbox says, in the same order for every format: warnings, who wrote
// to whom, when, notes, format, state, and the thread's name. A session of an
// agent's program has no format that people know, and says first what it does, and
// since when. The row is short, so that a narrow side bar shows who and when, its
// tooltip is complete, and screen readers get the title first.

import { fill, join } from '../fill';
import type { AgentItem, AgentThread, Doing, Group, Question, SessionThread, ThreadItem } from '../protocol';
import { aliasOf, canResume } from '../thread/resume';
import { sessionState } from '../thread/sessionWords';
import { attachmentWords, expiryWords, priorityWords } from '../thread/signedWords';
import type { RowWords } from './words';
import { shortened, shortName, taken } from '../views/shorten';
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
  /** Whether the row stands in a group. */
  readonly grouped: boolean;
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
  /** The newest message, below the rest; empty if there is none to show. */
  readonly preview: string;
}

/** Returns what a worktree's row is about: an agent that waits, else its thread. */
export function leading({
  doing,
  agents = [],
}: Pick<Group, 'doing' | 'agents'>): AgentItem | Doing | undefined {
  const [first] = agents;
  return first?.state === 'waiting' && doing?.state !== 'waiting' ? first : (doing ?? first);
}

/**
 * Reports whether a thread stands out: it has unread messages, it came back from snooze
 * and was not opened, or its agent went on since the user looked.
 */
export function standsOut(thread: ThreadItem): boolean {
  return thread.unread > 0 || thread.returned === true || thread.agent?.unseen === true;
}

export function rowOf(thread: ThreadItem, context: RowContext): Row {
  const { words, now, locale } = context;
  const { amp, title } = thread;
  const name = mailName(thread);
  const { from, to } = parties(thread, context);
  const trust = trustOf(thread, words);
  const session = thread.agent?.session;
  const protocol = session === undefined ? (words.protocols[thread.protocol] ?? thread.protocol) : '';
  const doing = thread.agent === undefined ? '' : sessionState(thread.agent, words.session);
  const special = specialWords(thread, context);
  const rest = restWords(thread, context);
  const ago = relativeTime(thread.lastTime, now, locale);
  const who = to === '' ? from : fill(words.arrow, from, to);
  const spokenWho = to === '' ? from : fill(words.fromTo, from, to);
  // A narrow side bar cuts off the end, and format and name are in the tooltip.
  const shown = to === words.you ? from : who;
  const width = context.grouped ? taken.group : taken.sign;
  const shortWho = thread.agent === undefined ? shortName(shown, width) : shown;
  const when = age(thread.lastTime, now, locale);
  const draft = context.draft ? words.draft : '';
  // Many rows have the same agent: what it does and since when come before its name.
  const busy = doing !== '';
  const facts = [draft, doing, ...special, busy ? '' : shortWho, when];
  const more = [busy ? shortWho : '', ...rest];
  const state = [
    amp === undefined && thread.needsReply && thread.returned !== true ? words.needsReply : '',
    thread.unread > 0 ? fill(words.unread, String(thread.unread)) : '',
  ];
  const spoken = [
    title,
    draft,
    doing,
    ...special,
    ...(busy ? [ago, spokenWho] : [spokenWho, ago]),
    protocol,
    ...trust.spoken,
    ...rest,
    ...state,
    name === '' ? '' : fill(words.thread, name),
    thread.agent?.fault ?? '',
  ];
  return {
    label: shortened(title, [...facts, join(more, '') === '' ? '' : '…'], width),
    description: join([...facts, ...more], ' · '),
    spoken: join(spoken, ', '),
    tooltip: tooltipOf(thread, context, { title, name, who: spokenWho, protocol, trust: trust.line }),
    preview: thread.preview === '' ? '' : `${thread.lastFrom}: ${thread.preview}`,
  };
}

/** Returns the name by which programs know a mail thread, unless its title says it, or it is only an id. */
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

/** Returns the trust of the newest message in words: for screen readers, and with the reason. */
function trustOf(
  { amp, agent, marks }: ThreadItem,
  words: RowWords,
): { spoken: readonly string[]; line: TooltipLine } {
  if (amp !== undefined) {
    const { label, detail, level } = amp.trust;
    const sign = level === 'ok' ? 'verified' : level === 'note' ? 'info' : 'warning';
    // Problems are listed with the other badges.
    return { spoken: level === 'ok' ? [label] : [], line: { sign, text: join([label, detail], ': ') } };
  }
  if (agent !== undefined) {
    const text = agent.session === undefined ? words.agentTrust : words.sessionTrust;
    return { spoken: [], line: { text } };
  }
  if (marks.includes('suspicious')) return { spoken: [], line: { sign: 'warning', text: marks.join(', ') } };
  return { spoken: [words.unsigned], line: { text: `${words.unsigned}: ${words.unsignedDetail}` } };
}

/** Reports whether a thread has to be looked at with care. */
export function warns({ agent, amp, marks }: ThreadItem): boolean {
  return marks.includes('suspicious') || agent?.fault !== undefined || amp?.trust.level === 'warn';
}

/** Returns the badges of a thread that are words. */
function badgesOf({ amp, marks }: ThreadItem): readonly string[] {
  const trust = amp === undefined || amp.trust.level === 'ok' ? '' : amp.trust.label;
  return [trust, ...marks.filter((mark) => !trust.includes(mark))];
}

/** Returns what is said before who wrote and when. */
function specialWords(thread: ThreadItem, { words, now, locale }: RowContext): readonly string[] {
  const { amp } = thread;
  const snoozed = thread.snoozed ?? 0;
  return [
    thread.returned === true ? words.returned : '',
    snoozed > 0 ? fill(words.snoozed, untilWords(snoozed, now, locale)) : '',
    thread.archived === true ? words.archived : '',
    amp === undefined ? '' : priorityWords(amp.priority, words.signed),
    ...(warns(thread) ? badgesOf(thread) : []),
  ];
}

/** Returns what is said after it. */
function restWords(thread: ThreadItem, { words, now, locale, own }: RowContext): readonly string[] {
  const { amp } = thread;
  const notes = warns(thread) ? [] : badgesOf(thread);
  if (amp === undefined) return notes;
  const expiry = expiryWords(amp, words.signed, now, locale);
  return [
    ...notes,
    // Signed mail has the sign of its trust where other mail has the one for a reply.
    thread.needsReply && thread.returned !== true ? words.needsReply : '',
    // The trust label may already say that it is expired.
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

/** Returns the row's context value, which the menus go by. */
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

/** Returns the question that a row of the inbox holds, or undefined. */
export function questionIn(thread: ThreadItem): Question | undefined {
  const { question, lastFrom: from, lastTime: time } = thread;
  return question === undefined ? undefined : { ...question, thread, from, time };
}
