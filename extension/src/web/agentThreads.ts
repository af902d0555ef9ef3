// ATSF: the threads that agents keep below .agent/threads. A row needs thread.json
// only. The messages are read when a thread is opened, or for their ids when a
// hover needs them.

import type { AgentLog, AgentMessage, AgentThread, Block, Entry, ToolCall } from '@signalbox/core';
import { durationWords, isoTime } from '../when';
import { limits } from './limits';
import {
  countWords,
  earlierWords,
  newestFirst,
  reasonOf,
  type Desk,
  type Group,
  type Key,
  type Target,
  type ThreadRow,
} from './model';
import { nameOf } from './paths';
import { facts, paragraphs, Prose } from './prose';
import { unsigned } from './trust';

/** Returns the threads, grouped by the folder that .agent is in. */
export async function agentGroups(desk: Desk, folders: readonly string[]): Promise<readonly Group[]> {
  const rows = new Map<string, ThreadRow[]>();
  for (const folder of folders) {
    const home = folder.replace(/\/\.agent\/threads\/[^/]+$/, '');
    const list = rows.get(home) ?? [];
    rows.set(home, list);
    if (list.length < limits.threads) list.push(await rowOf(desk, folder));
  }
  return [...rows].map(([folder, list]) => ({
    format: 'atsf',
    folder,
    title: desk.files.label(folder),
    threads: list.sort(newestFirst),
    notes: list.length < limits.threads ? [] : [desk.l10n.t('Only {0} threads are listed.', limits.threads)],
  }));
}

function rowOf(desk: Desk, folder: string): Promise<ThreadRow> {
  const { l10n, memo } = desk;
  const prose = new Prose(desk.calls);
  const key: Key = { kind: 'atsf', folder, id: '' };
  return memo.of(`${folder}/thread.json`, 'row', async () => {
    const name = await prose.line(nameOf(folder));
    let thread: AgentThread | string;
    try {
      thread = await readThread(desk, folder);
    } catch (error) {
      thread = reasonOf(error);
    }
    if (typeof thread === 'string')
      return { key, title: name, facts: [], time: 0, fault: await prose.line(thread, 300) };
    const { stats } = thread;
    const [first] = thread.faults;
    return {
      key,
      title: thread.title === '' ? name : await prose.line(thread.title),
      facts: [
        await prose.line(thread.agent.name || thread.agent.id, 60),
        countWords(l10n, stats.messages),
        await prose.line(thread.context.gitBranch, 60),
      ],
      time: thread.updated.ok ? thread.updated.millis : thread.created.millis,
      fault: first === undefined ? '' : await prose.line(`${first.rule}: ${first.reason}`, 300),
    };
  });
}

/** Reads a thread.json. Returns a text if it cannot be read. */
async function readThread({ calls, files, l10n }: Desk, folder: string): Promise<AgentThread | string> {
  const file = await files.read(`${folder}/thread.json`, limits.thread);
  if (file === undefined) return l10n.t('thread.json is gone.');
  if (typeof file === 'number') return tooLarge(l10n, 'thread.json', file);
  return calls.json('atsf.thread', { dir: nameOf(folder) }, [file]);
}

/** Returns the message about a file that is too large for a browser. */
export function tooLarge(l10n: Desk['l10n'], name: string, size: number): string {
  const megabytes = (size / (1 << 20)).toFixed(1);
  return l10n.t('{0} ({1} MB) is too large for a browser. The desktop reads it.', name, megabytes);
}

/** Returns what hovers find of agents' threads: thread ids, message ids and folder names. */
export async function agentTokens(
  desk: Desk,
  folders: readonly string[],
): Promise<readonly (readonly [string, Target])[]> {
  const tokens: [string, Target][] = [];
  let read = 0;
  for (const folder of folders) {
    const key: Key = { kind: 'atsf', folder, id: '' };
    const thread = await desk.memo.of(`${folder}/thread.json`, 'id', async () => {
      const found = await readThread(desk, folder).catch(reasonOf);
      return typeof found === 'string' ? '' : found.id;
    });
    for (const id of new Set([thread, nameOf(folder)])) tokens.push([id, { key, message: '' }]);
    if (read > limits.allIds) continue;
    const log = await desk.memo.of(`${folder}/messages.jsonl`, 'ids', () => messageIds(desk, folder));
    read += log.size;
    for (const id of log.ids) tokens.push([id, { key, message: id }]);
  }
  return tokens.filter(([token]) => token !== '');
}

async function messageIds(desk: Desk, folder: string): Promise<{ ids: string[]; size: number }> {
  const data = await desk.files.read(`${folder}/messages.jsonl`, limits.ids);
  if (!(data instanceof Uint8Array)) return { ids: [], size: 0 };
  const { entries } = await desk.calls.json('atsf.log', {}, [data]);
  return {
    ids: entries.map(({ message }) => message?.id ?? '').filter((id) => id !== ''),
    size: data.length,
  };
}

/** The newest messages of a thread, and the number of lines before them. */
interface Newest {
  readonly log: AgentLog;
  readonly before: number;
}

/** Reads the newest messages. Returns a text if the log cannot be read. */
async function readNewest(desk: Desk, folder: string, count: number): Promise<Newest | string> {
  const data = await desk.files.read(`${folder}/messages.jsonl`, limits.log);
  if (data === undefined) return desk.l10n.t('There is no messages.jsonl.');
  if (typeof data === 'number') return tooLarge(desk.l10n, 'messages.jsonl', data);
  const { start, before } = lastLines(data, count);
  return { log: await desk.calls.json('atsf.log', {}, [data.subarray(start)]), before };
}

/** Returns where the last lines of a log begin, and how many lines are before them. */
export function lastLines(data: Uint8Array, count: number): { start: number; before: number } {
  let start = data.length;
  // A newline at the very end separates no lines.
  let end = data.at(-1) === 0x0a ? data.length - 1 : data.length;
  for (let found = 0; found < count && start > 0; found++) {
    end = end > 0 ? data.lastIndexOf(0x0a, end - 1) : -1;
    start = end + 1;
  }
  let before = 0;
  for (let at = data.indexOf(0x0a); at >= 0 && at < start; at = data.indexOf(0x0a, at + 1)) before++;
  return { start, before };
}

export async function agentDocument(desk: Desk, { folder }: Key): Promise<string> {
  const { l10n } = desk;
  const prose = new Prose(desk.calls);
  const thread = await readThread(desk, folder);
  const newest = await readNewest(desk, folder, limits.shown);
  const head =
    typeof thread === 'string'
      ? [`# ${await prose.code(nameOf(folder))}`, `> ${await prose.inline(thread)}`]
      : await headOf(thread, desk, prose);
  if (typeof newest === 'string') return paragraphs(...head, `> ${await prose.inline(newest)}`);
  const { log, before } = newest;
  const parts = [...head, unsigned(l10n), earlierWords(l10n, before)];
  for (const entry of log.entries) parts.push(await entryOf(entry, before, desk, prose));
  if (log.torn) parts.push(`_${l10n.t('The last line is still being written.')}_`);
  return paragraphs(...parts);
}

async function headOf(thread: AgentThread, { l10n }: Desk, prose: Prose): Promise<string[]> {
  const { agent, context, stats } = thread;
  const counts = l10n.t('messages: {0}, tool calls: {1}', stats.messages, stats.toolCalls);
  const faults = thread.faults
    .slice(0, 10)
    .map(async (fault) => `> ${fault.rule}: ${await prose.inline(fault.reason)}`);
  return [
    `# ${thread.title === '' ? await prose.code(thread.id) : await prose.inline(thread.title)}`,
    facts(
      await prose.inline(agent.version === '' ? agent.name : `${agent.name} ${agent.version}`),
      context.gitBranch === '' ? '' : l10n.t('branch {0}', await prose.code(context.gitBranch)),
      counts,
      thread.updated.ok ? isoTime(thread.updated.millis) : '',
    ),
    `${l10n.t('Thread')} ${await prose.code(thread.id)}`,
    ...(await Promise.all(faults)),
  ];
}

async function entryOf(entry: Entry, before: number, desk: Desk, prose: Prose): Promise<string> {
  const { message, fault } = entry;
  if (message === null) {
    const why = fault === null ? '' : `${fault.rule}: ${await prose.inline(fault.reason)}`;
    return `> ${desk.l10n.t('Line {0} is not a message.', entry.number + before)} ${why}`;
  }
  const time = message.time.ok ? isoTime(message.time.millis) : await prose.inline(message.time.text);
  const parts = [
    `## ${facts(await prose.inline(message.role), time)}`,
    facts(await prose.code(message.id), message.model === '' ? '' : await prose.inline(message.model)),
  ];
  const said = new Map(message.tools.map((tool) => [tool.id, tool]));
  for (const block of message.content) {
    const tool = block.type === 'tool_call_ref' ? said.get(block.toolCallId ?? '') : undefined;
    if (tool !== undefined) said.delete(tool.id);
    parts.push(tool === undefined ? await blockOf(block, desk, prose) : await toolOf(tool, desk, prose));
  }
  for (const tool of said.values()) parts.push(await toolOf(tool, desk, prose));
  return paragraphs(...parts, leftOut(message, desk));
}

function leftOut(message: AgentMessage, { l10n }: Desk): string {
  const more = message.blocks - message.content.length + (message.toolCalls - message.tools.length);
  return more > 0 ? `_${l10n.t('{0} more parts are not shown.', more)}_` : '';
}

async function blockOf(block: Block, { l10n }: Desk, prose: Prose): Promise<string> {
  const text = block.text ?? '';
  switch (block.type) {
    case 'text':
      return prose.markdown(text);
    case 'thinking':
      return quoted(paragraphs(`**${l10n.t('Thought')}**`, await prose.markdown(text)));
    case 'tool_call_ref':
      return '';
    case 'image':
      return `_${l10n.t('An image. The desktop shows it: {0}', await prose.code(block.assetRef ?? block.uri ?? ''))}_`;
    default: {
      const name = block.name ?? block.uri ?? block.assetRef ?? '';
      const what = `_${await prose.inline(block.type)}${name === '' ? '' : `: ${await prose.code(name)}`}_`;
      return text === '' ? what : paragraphs(what, await prose.block(text));
    }
  }
}

/** Returns Markdown as a quotation. */
function quoted(markdown: string): string {
  return markdown
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');
}

async function toolOf(tool: ToolCall, { l10n }: Desk, prose: Prose): Promise<string> {
  const states = {
    pending: l10n.t('pending'),
    running: l10n.t('running'),
    completed: l10n.t('completed'),
    failed: l10n.t('failed'),
  };
  const state = tool.state === undefined ? await prose.inline(tool.status) : states[tool.state];
  const took = tool.duration === undefined ? '' : durationWords(tool.duration, 'en');
  const { diff, input = '', output = '' } = tool;
  return paragraphs(
    `**${l10n.t('Tool')}** ${facts(await prose.inline(tool.title ?? tool.name), state, took)}`,
    input === '' ? '' : paragraphs(l10n.t('Input:'), await prose.block(input)),
    output === '' ? '' : paragraphs(l10n.t('Output:'), await prose.block(output)),
    diff === undefined ? '' : l10n.t('Changed {0}, which now says:', await prose.code(diff.path)),
    diff === undefined ? '' : await prose.block(diff.new),
  );
}

/** Returns the last messages of a thread in a few lines, for a hover. */
export async function agentPreview(desk: Desk, target: Target, count: number): Promise<string> {
  const prose = new Prose(desk.calls, limits.name);
  const { folder } = target.key;
  const thread = await readThread(desk, folder);
  const newest = await readNewest(desk, folder, target.message === '' ? count : Number.MAX_SAFE_INTEGER);
  const title = typeof thread === 'string' ? nameOf(folder) : thread.title || thread.id;
  const parts = [`**${await prose.inline(title)}**`];
  if (typeof newest === 'string') return paragraphs(...parts, await prose.inline(newest));
  const messages = newest.log.entries
    .map(({ message }) => message)
    .filter((message) => message !== null)
    .filter(({ id }) => target.message === '' || id === target.message);
  for (const message of messages.slice(-count)) {
    const text = message.content.find(({ type }) => type === 'text')?.text ?? '';
    parts.push(
      facts(await prose.inline(message.role), message.time.ok ? isoTime(message.time.millis) : ''),
      quoted(await prose.markdown(text, limits.hover / (count + 1))),
    );
  }
  return paragraphs(...parts, unsigned(desk.l10n));
}
