// The words of the page of "Agents".

import type { Translate } from '../fill';
import { keyName, keysWords } from '../keys';
import type { Reach } from '../protocol';
import { reachWords } from '../agent/reach';
import type { AgentAct, RowState } from './model';

export type AgentsWords = Readonly<ReturnType<typeof agentsWords>>;

export function agentsWords(t: Translate, mac: boolean) {
  return {
    title: t('Agents'),
    older: t('Older'),
    newLine: t('New'),
    states: stateWords(t),
    acts: actWords(t),
    /** The names of the keys of a row's buttons. */
    keys: { reply: 'R', changes: 'C', terminal: 'T', window: 'W' },
    sendKey: keyName('Ctrl+Enter', mac),
    map: keysWords(t, mac, 'list'),
    reach: reachWords(t) satisfies Record<Reach, unknown>,
    /** {0} is the agent. */
    messageTo: t('Message to {0}', '{0}'),
    box: t('Say what {0} should do…', '{0}'),
    sending: t('Sending…'),
    unread: t('{0} unread', '{0}'),
    oneUnread: t('1 unread'),
    removed: t('worktree removed'),
    added: t('{0} lines added', '{0}'),
    deleted: t('{0} removed', '{0}'),
    for: t('for {0}', '{0}'),
    in: t('{0} in {1}', '{0}', '{1}'),
    what: t('What it did'),
    files: t('Files that it changed'),
    moreFiles: t('{0} more files', '{0}'),
    showFile: t('Show the changes of {0}', '{0}'),
    nothing: t('No agents here.'),
    unknown: t('What agents do is not known.'),
    starting: t('Signalbox starts…'),
    setUp: t('Set Up…'),
    start: t('Start an Agent…'),
    restart: t('Restart Server'),
  };
}

/** Returns the names of the states. */
function stateWords(t: Translate): Readonly<Record<RowState, string>> {
  return {
    waiting: t('Waits for you'),
    asks: t('Asks you'),
    working: t('Working'),
    done: t('Done'),
    failed: t('Failed'),
    silent: t('Silent'),
    stopped: t('Stopped?'),
    idle: t('Idle'),
    ended: t('Ended'),
    none: t('No agent'),
  };
}

/** Returns the labels of the buttons. */
function actWords(t: Translate): Readonly<Record<AgentAct, string>> {
  return {
    message: t('Message…'),
    continue: t('Continue Here…'),
    start: t('Start…'),
    setUp: t('Set Up…'),
    changes: t('Show Changes'),
    terminal: t('Show Terminal'),
    window: t('Open in New Window'),
    open: t('Open Thread'),
  };
}

/** Counts the agents that need the user and those that work: "2 need you, 1 working". */
export function countWords(
  t: Translate,
  { needing, working, done }: { readonly needing: number; readonly working: number; readonly done?: number },
): string {
  const count = (n: number, one: string, many: string): readonly string[] =>
    n === 0 ? [] : [n === 1 ? one : many];
  return [
    ...count(needing, t('1 needs you'), t('{0} need you', String(needing))),
    ...count(working, t('1 working'), t('{0} working', String(working))),
    ...count(done ?? 0, t('1 done'), t('{0} done', String(done))),
  ].join(', ');
}
