// A row of "Agents": name, place, changed lines and time; then the state and the last message.

import type { AgentAct, AgentRow, RowState } from '../../agents/model';
import type { AgentsWords } from '../../agents/words';
import { fill } from '../../fill';
import { durationWords } from '../../when';
import { drawing, element, span, type Drawing } from '../dom';
import type { RowLook } from '../list/listHost';
import { whoElement } from '../list/listRow';
import { sinceElement } from '../times';
import { toolButton } from '../tools';

/** The icon of each state, and the class that sets its colour. */
const looks: Readonly<Record<RowState, readonly [Drawing, string]>> = {
  waiting: ['terminal', 'blocked'],
  asks: ['question', 'asks'],
  working: ['spin', 'asks'],
  done: ['done', 'good'],
  failed: ['error', 'bad'],
  silent: ['clock', 'blocked'],
  stopped: ['clock', 'quiet'],
  idle: ['idle', 'quiet'],
  ended: ['ended', 'quiet'],
  none: ['branch', 'quiet'],
};

const icons: Readonly<Record<AgentAct, Drawing>> = {
  message: 'message',
  continue: 'play',
  start: 'play',
  setUp: 'unplugged',
  changes: 'changes',
  terminal: 'terminal',
  window: 'window',
  open: 'message',
};

/** Returns the name of an action's key. */
export function keyOf(act: AgentAct, { keys }: AgentsWords): string {
  if (act === 'changes' || act === 'terminal' || act === 'window') return keys[act];
  return act === 'open' ? '' : keys.reply;
}

/** Makes the small button of an action on a row. */
export function actTool(
  act: AgentAct,
  words: AgentsWords,
  name: string,
  press: () => void,
): HTMLButtonElement {
  const made = toolButton(icons[act], words.acts[act], keyOf(act, words), press);
  made.tabIndex = -1;
  made.setAttribute('aria-label', `${words.acts[act].replace(/…$/, '')}, ${name}`);
  return made;
}

/** Draws the head of a row. `press` is called with the action of a button. */
export function drawAgent(
  row: AgentRow,
  words: AgentsWords,
  locale: string,
  press: (act: AgentAct) => void,
): RowLook {
  const [icon, kind] = looks[row.state];
  const tools = element('span', { class: 'tools' });
  for (const act of ordered(row.acts)) tools.append(actTool(act, words, row.name, () => press(act)));
  const head = [
    drawing(icon),
    whoElement(row.name, whereOf(row)),
    linesElement(row),
    row.since > 0 ? sinceElement(row.since, locale) : span('', 'since'),
    whatOf(row, words),
  ];
  return {
    class: `wt ${kind}${row.waits ? '' : ' told'}`,
    head,
    tools,
    label: () => labelOf(row, words, Date.now(), locale),
    moreLabel: words.what,
  };
}

/** The order of the small buttons. It does not depend on the main button. */
const places: readonly AgentAct[] = [
  'message',
  'continue',
  'start',
  'setUp',
  'changes',
  'terminal',
  'window',
];

export function ordered(acts: readonly AgentAct[]): readonly AgentAct[] {
  return places.filter((act) => acts.includes(act));
}

/** Makes the counts of added and removed lines. */
export function linesElement({
  added,
  removed,
}: {
  readonly added: number;
  readonly removed: number;
}): HTMLElement {
  return element(
    'span',
    { class: 'pm' },
    added > 0 ? element('ins', { text: `+${added}` }) : undefined,
    removed > 0 ? element('del', { text: `−${removed}` }) : undefined,
  );
}

/** Returns the text beside the name: the place, and the start time if other rows look the same. */
function whereOf({ clock, name, place }: AgentRow): string {
  return [clock, place === name ? '' : place].filter((part) => part !== '').join(' · ');
}

function whatOf(row: AgentRow, words: AgentsWords): HTMLElement {
  const text = textOf(row, words);
  const what = element('span', { class: 'what' }, span(words.states[row.state]));
  if (text !== '') what.append(element('span', { text, attributes: { dir: 'auto' } }));
  return what;
}

/** Returns the text of line 2 after the state. */
function textOf({ gone, text, unread }: AgentRow, words: AgentsWords): string {
  const mail = unread === 0 ? '' : unread === 1 ? words.oneUnread : fill(words.unread, String(unread));
  return [gone ? words.removed : '', mail, text].filter((part) => part !== '').join(' · ');
}

/** Returns a sentence: "coder in fix/login, Waits for you for 12 minutes: git push, 120 lines added". */
export function labelOf(row: AgentRow, words: AgentsWords, now: number, locale: string): string {
  const { added, clock, place, removed, since, state } = row;
  const name = clock === '' ? row.name : `${row.name} ${clock}`;
  const who = place === row.name ? name : fill(words.in, name, place);
  const minutes = Math.max(1, Math.floor((now - since) / 60_000));
  const long = since > 0 ? ` ${fill(words.for, durationWords(minutes * 60_000, locale))}` : '';
  const text = textOf(row, words);
  return [
    who,
    // The agent's sentence loses its full stop, because ours continues.
    `${words.states[state]}${long}${text === '' ? '' : `: ${text.replace(/[.!…]+$/, '')}`}`,
    added > 0 ? fill(words.added, String(added)) : '',
    removed > 0 ? fill(words.deleted, String(removed)) : '',
  ]
    .filter((part) => part !== '')
    .join(', ');
}

/** Sets which lines the editor's menu has on a row. */
export function setMenu(at: HTMLElement, { acts, key, thread }: AgentRow): void {
  const all = thread ? [...acts, 'open'] : acts;
  const has = Object.fromEntries(
    all.map((act) => [`agent${act[0]?.toUpperCase() ?? ''}${act.slice(1)}`, true]),
  );
  const context = { webviewSection: 'agent', preventDefaultContextMenuItems: true, agentKey: key, ...has };
  at.dataset['vscodeContext'] = JSON.stringify(context);
}
