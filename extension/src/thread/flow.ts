// The layout of a conversation: which messages share a head, where a day or a pause begins,
// and which tool calls fold into one line.

import type { MessageItem, Part, ToolPart } from '../protocol';

/** The longest time between two messages of one author under one head, in milliseconds. */
const sameHeadMillis = 5 * 60_000;
/** The shortest pause that is shown, in milliseconds. */
const longPauseMillis = 60 * 60_000;
/** The fewest tool calls in a row that fold into one line. */
const toolsToFold = 3;

/** How a message begins, compared with the message before it. */
export interface Beginning {
  /** Whether it is the first of its day. */
  readonly day: boolean;
  /** The pause before it in milliseconds, or 0 if it is short. */
  readonly pause: number;
  /** Whether it is shown under the head of the message before it. */
  readonly follows: boolean;
}

export function beginningOf(message: MessageItem, before: MessageItem | undefined): Beginning {
  if (before === undefined) return { day: true, pause: 0, follows: false };
  const between = message.time - before.time;
  const day = dayOf(message) !== dayOf(before);
  const pause = !day && between >= longPauseMillis ? between : 0;
  const near = !day && between >= 0 && between <= sameHeadMillis;
  return { day, pause, follows: near && sameHead(message, before) };
}

function dayOf({ time }: MessageItem): string {
  return new Date(time).toDateString();
}

/** Reports whether both messages would have the same head. */
function sameHead(message: MessageItem, before: MessageItem): boolean {
  const plain = (one: MessageItem): boolean =>
    one.amp === undefined && one.turn?.gap === undefined && one.marks.length === 0;
  return (
    plain(message) &&
    plain(before) &&
    message.from === before.from &&
    message.to === before.to &&
    message.mine === before.mine &&
    message.trust.label === before.trust.label &&
    (message.turn?.model ?? '') === (before.turn?.model ?? '') &&
    message.turn?.role === before.turn?.role &&
    endsNormally(message)
  );
}

/** The normal stop reasons of an agent's message: it was complete, or the agent uses a tool. */
const normalReasons: ReadonlySet<string> = new Set(['', 'end_turn', 'tool_use']);

/** Reports whether a message has a normal stop reason. */
export function endsNormally({ turn }: MessageItem): boolean {
  return normalReasons.has(turn?.stopReason ?? '');
}

/** Reports whether a tool call has ended. A call that runs or waits stays visible. */
function isOver({ status }: ToolPart): boolean {
  return status === 'completed' || status === 'failed';
}

/** Reports whether a part is a tool call that may be folded away. */
export function isFoldable({ tool }: Part): boolean {
  return tool !== undefined && isOver(tool);
}

/** Reports whether tool calls in a row are enough to fold into one line. */
export function isRun(tools: readonly ToolPart[]): boolean {
  return tools.length >= toolsToFold;
}

/** Groups messages: neighbours whose tool calls fold into one line share a group, others are alone. */
export function runsOf(messages: readonly MessageItem[]): readonly (readonly MessageItem[])[] {
  const pieces: MessageItem[][] = [];
  for (const message of messages) {
    const last = pieces.at(-1);
    const before = last?.at(-1);
    if (last !== undefined && before !== undefined && foldTogether(before, message)) last.push(message);
    else pieces.push([message]);
  }
  return pieces.flatMap((piece) => (isRun(piece.flatMap(toolsOf)) ? [piece] : piece.map((one) => [one])));
}

function foldTogether(before: MessageItem, message: MessageItem): boolean {
  return onlyTools(before) && onlyTools(message) && beginningOf(message, before).follows;
}

/** Reports whether a message has only ended tool calls, and thoughts between them. */
function onlyTools(message: MessageItem): boolean {
  const parts = message.turn?.parts ?? [];
  return (
    parts.some(isFoldable) &&
    parts.every((part) => isFoldable(part) || part.kind === 'thinking') &&
    endsNormally(message)
  );
}

export function toolsOf({ turn }: MessageItem): readonly ToolPart[] {
  return (turn?.parts ?? []).flatMap(({ tool }) => (tool === undefined ? [] : [tool]));
}

/** The numbers of tool calls and of their edits. */
export interface ToolTotals {
  readonly tools: number;
  readonly edits: number;
  readonly added: number;
  readonly removed: number;
  readonly failed: number;
}

export function totalsOf(tools: readonly ToolPart[]): ToolTotals {
  const failed = tools.filter(({ status }) => status === 'failed').length;
  const edits = tools.flatMap(({ diff, status }) =>
    diff === undefined || status === 'failed' ? [] : [diff],
  );
  const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);
  return {
    tools: tools.length,
    edits: edits.length,
    added: sum(edits.map(({ added }) => added)),
    removed: sum(edits.map(({ removed }) => removed)),
    failed,
  };
}
