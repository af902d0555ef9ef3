// Makes the rows of "Needs You" from the items that need the user.

import { fill, join, type Translate } from '../fill';
import type { AgentItem, AgentRequest, EscalationItem, NeedItem, Overdue, ThreadItem } from '../protocol';
import { folderName } from '../refs';
import { folderOf, nameOf, placeOf, programName } from '../agent/agentWords';
import { canNudge, keyOf } from './model';
import { requestSummary } from './requestSummary';
import type { NeedAct, NeedButton, NeedIcon, NeedRow, NeedTag } from './row';
import type { RowWords } from './rowWords';

/** What rows depend on besides their items. */
export interface RowFacts {
  readonly t: Translate;
  readonly words: RowWords;
  /** Whether an agent runs in a terminal of this window. */
  readonly terminal: (agent: AgentItem) => boolean;
  /** Whether the user began an answer. */
  readonly draft: (thread: ThreadItem) => boolean;
  /** Returns names as a sentence lists them: "coder and docs". */
  readonly list: (names: readonly string[]) => string;
  /** Returns the hour and minute of a time. */
  readonly clock: (time: number) => string;
}

type Made = Omit<NeedRow, 'key' | 'section' | 'time' | 'sharesName'>;

/** The members that are empty in most rows. */
const blank = { code: false, tags: [], openTags: [], more: false, notes: [], options: [], draft: false };

/** Returns the rows of items, in the same order. */
export function needRows(items: readonly NeedItem[], facts: RowFacts): readonly NeedRow[] {
  const rows = items.flatMap((item) => {
    const made = rowOf(item, facts);
    if (made === undefined) return [];
    return {
      agent: item.agent ?? item.from,
      row: { ...made, key: keyOf(item), section: item.section, time: item.time, sharesName: false },
    };
  });
  return distinguish(rows, facts);
}

function rowOf(item: NeedItem, facts: RowFacts): Made | undefined {
  const { question, reply, agent, request, thread, escalation, overdue } = item;
  if (question !== undefined) return questionRow(item, facts);
  if (reply !== undefined) return replyRow(item, reply, facts);
  if (agent?.state === 'ended') return endedRow(agent, facts);
  if (agent !== undefined)
    return request === undefined ? agentRow(agent, facts) : requestRow(agent, request, facts);
  if (thread !== undefined) return stuckRow(thread, facts);
  if (escalation !== undefined) return escalationRow(escalation, facts);
  if (overdue === undefined) return undefined;
  return overdueRow(overdue, facts);
}

function overdueRow({ kind, label, taskId, text, title, who }: Overdue, { words }: RowFacts): Made {
  const kinds: Readonly<Record<string, string>> = {
    ack_timeout: words.notConfirmed,
    heartbeat_timeout: words.silentSince,
  };
  const known = kinds[kind];
  const what = known === undefined ? join([label, title], ': ') : fill(known, title);
  return {
    ...blank,
    ...{ tone: 'blocked', icon: 'clock', who, where: taskId, what, open: what },
    sentence: fill(words.says, whoIn(who, taskId, words), what),
    text,
    buttons: [{ act: 'open', label: words.openTask, main: true }],
    acts: ['open'],
  };
}

function questionRow({ question, from: agent }: NeedItem, facts: RowFacts): Made | undefined {
  if (question === undefined) return undefined;
  const { from, options = [], thread, text } = question;
  const { words } = facts;
  const asked = text === '' ? thread.title : askingSentence(text);
  const where = whereOf(agent, thread);
  return {
    ...blank,
    ...{ tone: 'asks', icon: 'question', who: from, where, what: asked, open: asked, more: true },
    tags: optionTags(options, words),
    sentence: fill(words.asks, whoIn(from, where, words), asked),
    options: options.map((label) => ({ label })),
    buttons: [
      { act: 'reply', label: words.reply, main: options.length === 0 },
      { act: 'open', label: words.openThread },
    ],
    acts: [...terminalOf(agent, facts), ...threadActs],
    draft: facts.draft(thread),
  };
}

function replyRow({ from: agent, urgent }: NeedItem, thread: ThreadItem, facts: RowFacts): Made {
  const { words } = facts;
  const { lastFrom, preview, returned, title } = thread;
  const where = whereOf(agent, thread);
  const line = preview === '' ? title : preview;
  return {
    ...blank,
    ...{ tone: urgent ? 'bad' : 'quiet', icon: returned === true ? 'bell' : 'reply', who: lastFrom, where },
    ...{ what: line, open: title, more: true },
    tags: returned === true ? [{ text: words.returned }] : [],
    sentence: fill(words.wrote, whoIn(lastFrom, where, words), line),
    text: preview,
    buttons: [
      { act: 'reply', label: words.reply, main: true },
      { act: 'done', label: words.noReply },
    ],
    acts: [...terminalOf(agent, facts), ...threadActs],
    draft: facts.draft(thread),
  };
}

function requestRow(agent: AgentItem, request: AgentRequest, facts: RowFacts): Made {
  const { words } = facts;
  const who = nameOf(agent);
  const where = whereOf(agent);
  const { icon, risks, sentence, ...line } = requestSummary(request, words);
  const asks = request.kind === 'question';
  return {
    ...blank,
    ...{ tone: asks ? 'asks' : 'blocked', icon, who, where },
    ...line,
    sentence: sentenceOf([fill(sentence, whoIn(who, where, words)), ...risks]),
    request,
    more: request.cut === true,
    notes: [
      request.kind === 'plan'
        ? fill(words.stillAsks, programName(agent.client))
        : metaOf(agent, request, words),
    ],
    buttons: [],
    acts: [...terminalOf(agent, facts), ...agentActs(agent), ...(line.code ? (['copy'] as const) : [])],
  };
}

/** Returns the row of an agent that ended while it waited, with what it waited for. */
function endedRow(agent: AgentItem, { words }: RowFacts): Made {
  const [who, where] = [nameOf(agent), whereOf(agent)];
  const command = agent.permission ?? agent.for ?? '';
  return {
    ...blank,
    ...{ tone: 'bad', icon: 'ended', who, where, what: words.ended, open: words.ended },
    sentence: join([fill(words.says, whoIn(who, where, words), words.ended), command], ': '),
    notes: command === '' ? [] : [words.lastRequest],
    ...(command === '' ? {} : { command }),
    buttons: [
      { act: 'continue', label: words.continueHere, main: true },
      { act: 'done', label: words.dismiss },
    ],
    acts: [...agentActs(agent), ...(command === '' ? [] : (['copy'] as const))],
  };
}

function agentRow(agent: AgentItem, facts: RowFacts): Made {
  const { words } = facts;
  const { state, unread } = agent;
  const [who, where] = [nameOf(agent), whereOf(agent)];
  const wanted = agent.for ?? '';
  const command = state === 'waiting' ? (agent.permission ?? '') : '';
  const lines: Partial<Record<typeof state, string>> = {
    waiting: command || (wanted === '' ? words.waits : fill(words.waitsFor, wanted)),
    failed: wanted === '' ? words.failed : fill(words.failedWith, wanted),
    idle: fill(words.idleUnread, String(unread)),
    ended: words.ended,
    silent: words.silent,
  };
  const what = lines[state] ?? words.waits;
  const terminal = terminalOf(agent, facts);
  // Gemini takes no answer from here at all. The other programs' hooks no longer wait for one.
  const only =
    agent.client === 'gemini' ? fill(words.onlyTerminal, programName(agent.client)) : words.inTerminal;
  const away = terminal.length > 0 ? '' : fill(words.elsewhere, agent.folder);
  const icons: Partial<Record<typeof state, NeedIcon>> = { failed: 'error', idle: 'mail', ended: 'ended' };
  const writes: NeedButton = { act: 'message', label: words.message };
  const shows: NeedButton = { act: 'terminal', label: words.terminal };
  return {
    ...blank,
    tone: state === 'failed' || state === 'ended' ? 'bad' : state === 'idle' ? 'quiet' : 'blocked',
    ...{ icon: icons[state] ?? (command === '' ? 'bell' : 'terminal'), who, where, what },
    ...(command === '' ? { open: what } : { code: true, open: words.wantsToRun, command }),
    sentence: fill(command === '' ? words.says : words.wantsRun, whoIn(who, where, words), what),
    notes: state === 'waiting' ? [only, away].filter((note) => note !== '') : [],
    buttons: [
      ...(state === 'waiting' && terminal.length > 0 ? [shows] : []),
      ...(canNudge(agent, terminal.length > 0) ? [{ act: 'nudge', label: words.nudge } as const] : []),
      ...(agent.alias === '' ? [] : [writes]),
    ].map((one, at) => ({ ...one, main: at === 0 })),
    acts: [...terminal, ...agentActs(agent)],
  };
}

function stuckRow(thread: ThreadItem, facts: RowFacts): Made {
  const { words } = facts;
  const { agent, preview, title } = thread;
  const who = agent?.name ?? thread.lastFrom;
  const where = whereOf(undefined, thread);
  const failed = agent?.state === 'failed';
  const times = agent?.times ?? 0;
  const wanted = agent?.for ?? '';
  const what = failed ? fill(words.failedWith, preview || title) : fill(words.waitsFor, wanted || title);
  return {
    ...blank,
    ...{ tone: failed ? 'bad' : 'blocked', icon: failed ? 'error' : 'bell', who, where, what },
    open: failed ? words.failed : words.waits,
    sentence: fill(words.says, whoIn(who, where, words), what),
    tags: times > 1 ? [{ text: fill(words.times, String(times)) }] : [],
    text: preview,
    more: true,
    buttons: [
      { act: 'message', label: words.message, main: true },
      failed ? { act: 'done', label: words.dismiss } : { act: 'open', label: words.openThread },
    ],
    acts: ['changes', 'window', ...threadActs],
  };
}

function escalationRow(escalation: EscalationItem, { list, words }: RowFacts): Made {
  const { acked, from, malformed, severity, suggested, suspended, task, title } = escalation;
  const label = malformed === true ? fill(words.malformed, escalation.label) : escalation.label;
  const where = task.branch === '' ? task.id : task.branch;
  const line = title === '' ? label : title;
  const answers = malformed !== true;
  return {
    ...blank,
    tone: severity === 'critical' && acked === 0 ? 'bad' : 'blocked',
    ...{ icon: 'halt', who: from, where, what: line, open: line },
    tags: suspended.length === 0 ? [] : [{ text: fill(words.stops, String(suspended.length)) }],
    sentence: sentenceOf([
      fill(words.says, whoIn(from, where, words), join([title === label ? '' : label, line], ': ')),
      suspended.length === 0 ? '' : stopped(suspended, list, words),
    ]),
    notes: [
      join(
        [
          title === '' || title === label ? '' : `${label}.`,
          suspended.length === 0 ? '' : `${stopped(suspended, list, words)}.`,
        ],
        ' ',
      ),
    ].filter((note) => note !== ''),
    options: answers ? suggested.map(({ text }) => ({ label: fill(words.step, text) })) : [],
    buttons: answers
      ? [
          { act: 'respond', label: words.answer, main: suggested.length === 0 },
          ...(acked > 0 ? [] : [{ act: 'acknowledge', label: words.acknowledge } as const]),
        ]
      : [{ act: 'open', label: words.openFile, main: true }],
    acts: ['open'],
  };
}

const threadActs: readonly NeedAct[] = ['open', 'snooze', 'done', 'archive', 'read', 'unread'];

/** Returns what can be done in an agent's thread, or nothing if the thread is unknown. */
function agentActs({ thread }: AgentItem): readonly NeedAct[] {
  return thread === undefined ? [] : ['open', 'changes', 'window', 'snooze', 'done'];
}

function terminalOf(agent: AgentItem | undefined, facts: RowFacts): readonly NeedAct[] {
  return agent !== undefined && facts.terminal(agent) ? ['terminal'] : [];
}

/** Returns the last question in a text, since reasons mostly come first, or the whole text. */
export function askingSentence(text: string): string {
  const sentences = text.match(/[^.!?…]+(?:[.!?…]+(?!\s|$)[^.!?…]*)*[.!?…]*\s*/gu) ?? [];
  return (sentences.findLast((sentence) => /[?？]\s*$/u.test(sentence)) ?? text).trim();
}

/** Returns where an agent is, or empty if that is unknown. */
function whereOf(agent: AgentItem | undefined, thread?: ThreadItem): string {
  return agent === undefined ? (thread?.agent?.branch ?? '') : placeOf(agent);
}

function whoIn(who: string, where: string, words: RowWords): string {
  return where === '' ? who : fill(words.whoIn, who, where);
}

function stopped(suspended: readonly string[], list: RowFacts['list'], words: RowWords): string {
  return fill(suspended.length === 1 ? words.stopsOne : words.stopsMany, list(suspended));
}

/** The full stop after a sentence. A full stop on its own is part of a command. */
const fullStop = /(?<=[\p{L}\p{N})”"’'])[.…。]+$/u;

/** Joins the parts of a row's sentence by commas, which replace full stops but not "?" and "!". */
export function sentenceOf(parts: readonly string[]): string {
  const filled = parts.filter((part) => part !== '');
  const ends = (part: string): string =>
    /[!?！？]$/u.test(part) ? `${part} ` : `${part.replace(fullStop, '')}, `;
  return filled.map((part, at) => (at < filled.length - 1 ? ends(part) : part)).join('');
}

/** The most characters of options that a tag shows. If they are longer, it shows their number. */
const tagMost = 12;

function optionTags(options: readonly string[], words: RowWords): readonly NeedTag[] {
  if (options.length === 0) return [];
  const all = options.join(', ');
  return [{ text: all.length <= tagMost ? all : fill(words.options, String(options.length)) }];
}

/** Returns which program asks, in which folder, and the agent's description of the request. */
function metaOf(agent: AgentItem, request: AgentRequest, words: RowWords): string {
  const purpose = request.input.find(({ name }) => name === 'description')?.text ?? '';
  const place = fill(words.programIn, programName(agent.client), folderName(folderOf(agent)));
  return purpose === '' ? place : `${place} ${fill(words.itSays, purpose)}`;
}

interface Listed {
  /** The agent that the row is about, or that wrote. */
  readonly agent: AgentItem | undefined;
  readonly row: NeedRow;
}

/** Tells agents of the same name apart: by place, or by program and time if they share a place. */
function distinguish(rows: readonly Listed[], { clock, words }: RowFacts): readonly NeedRow[] {
  const byName = new Map<string, Listed[]>();
  for (const one of rows) byName.set(one.row.who, [...(byName.get(one.row.who) ?? []), one]);
  return rows.map(({ agent, row }) => {
    const others = (byName.get(row.who) ?? []).filter(
      (other) => other.agent !== undefined && other.agent.key !== agent?.key,
    );
    if (agent === undefined || others.length === 0) return row;
    const same = others.some((other) => other.row.where === row.where);
    if (!same) return { ...row, sharesName: true };
    const started = fill(words.startedAt, programName(agent.client), clock(agent.begun ?? agent.since));
    return { ...row, sharesName: true, where: join([started, row.where], ' · ') };
  });
}
