// The Quick Picks that switch to a thread in the inbox or a session of any repository. The
// server searches while the user types.

import { failureOf } from '../server/failureWords';
import { describeError } from '../server/failures';
import * as vscode from 'vscode';
import type { Server } from '../server/client';
import { withoutIcons } from '../strangers';
import { type Group, type Ref, type ThreadItem } from '../protocol';
import { join } from '../fill';
import { relativeTime } from '../when';
import { mailName } from './rowFacts';

const pauseMillis = 150;
const shown = 50;

interface ThreadPick extends vscode.QuickPickItem {
  readonly ref: Ref;
}

interface Found {
  readonly threads: readonly ThreadItem[];
  readonly groups: readonly Group[];
}

/** Shows the threads and opens the chosen one. */
export function goToThread(server: Server, open: (ref: Ref) => void): void {
  const find = (text: string): Promise<Found> =>
    server.request('signalbox/inbox/list', {
      filter: text === '' ? {} : { text, everywhere: true },
      limit: shown,
    });
  pick(server, vscode.l10n.t('Search threads by name, participant or text'), find, open);
}

/** Shows the sessions of all repositories on this machine and opens the chosen one. */
export function allSessions(server: Server, open: (ref: Ref) => void): void {
  const find = (text: string): Promise<Found> =>
    server.request('signalbox/sessions/all', { text, limit: shown });
  const words = vscode.l10n.t('Search the sessions of all repositories by title, branch or folder');
  pick(server, words, find, open);
}

function pick(
  server: Server,
  placeholder: string,
  find: (text: string) => Promise<Found>,
  open: (ref: Ref) => void,
): void {
  const picker = vscode.window.createQuickPick<ThreadPick>();
  picker.placeholder = placeholder;
  picker.matchOnDescription = true;
  picker.matchOnDetail = true;
  let timer: NodeJS.Timeout | undefined;
  let turn = 0;
  const search = async (): Promise<void> => {
    const mine = ++turn;
    picker.busy = true;
    try {
      const page = await find(picker.value.trim());
      if (mine !== turn) return;
      picker.title = undefined;
      picker.items = page.threads.map((thread) => threadPick(thread, page.groups));
    } catch (error) {
      server.log.error(`go to thread: ${describeError(error)}`);
      if (mine === turn) picker.title = failureOf('search', error, vscode.l10n.t).text;
    }
    if (mine === turn) picker.busy = false;
  };
  picker.onDidChangeValue(() => {
    clearTimeout(timer);
    timer = setTimeout(() => void search(), pauseMillis);
  });
  picker.onDidAccept(() => {
    const chosen = picker.selectedItems[0];
    picker.hide();
    if (chosen !== undefined) open(chosen.ref);
  });
  picker.onDidHide(() => {
    clearTimeout(timer);
    turn++;
    picker.dispose();
  });
  picker.show();
  void search();
}

function threadPick(thread: ThreadItem, groups: readonly Group[]): ThreadPick {
  const time = relativeTime(thread.lastTime, Date.now(), vscode.env.language);
  const group = thread.agent === undefined ? undefined : groups.find(({ id }) => id === thread.group);
  const waits = thread.agent?.state === 'waiting' ? vscode.l10n.t('waits for you') : '';
  const removed = group?.gone === true ? (group.note ?? '') : '';
  const facts = [waits, group?.title ?? '', removed, thread.participants.join(', '), time, mailName(thread)];
  return {
    // The server searches. Without this, the picker would filter its results again.
    alwaysShow: true,
    label: `${iconOf(thread)} ${withoutIcons(thread.title)}`,
    description: withoutIcons(join(facts, ' · ')),
    detail: withoutIcons(join([group?.path ?? '', thread.preview], ' · ')),
    ref: thread.ref,
  };
}

function iconOf(thread: ThreadItem): string {
  if (thread.agent !== undefined) return '$(comment-discussion)';
  return thread.unread > 0 ? '$(mail)' : '$(mail-read)';
}
