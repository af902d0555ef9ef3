// The Quick Pick that switches threads. The server searches; typing asks it.

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

/** Shows the picker and opens what is chosen. */
export function goToThread(server: Server, open: (ref: Ref) => void): void {
  const picker = vscode.window.createQuickPick<ThreadPick>();
  picker.placeholder = vscode.l10n.t('Search threads by name, participant or text');
  picker.matchOnDescription = true;
  picker.matchOnDetail = true;
  let timer: NodeJS.Timeout | undefined;
  let turn = 0;
  const search = async (): Promise<void> => {
    const mine = ++turn;
    picker.busy = true;
    try {
      const text = picker.value.trim();
      const filter = text === '' ? {} : { text, everywhere: true };
      const page = await server.request('signalbox/inbox/list', { filter, limit: shown });
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
  const facts = [group?.title ?? '', thread.participants.join(', '), time, mailName(thread)];
  return {
    // The server searches. Without this, the picker would filter its results again.
    alwaysShow: true,
    label: `${iconOf(thread)} ${withoutIcons(thread.title)}`,
    description: withoutIcons(join(facts, ' · ')),
    detail: withoutIcons(thread.preview),
    ref: thread.ref,
  };
}

function iconOf(thread: ThreadItem): string {
  if (thread.agent !== undefined) return '$(comment-discussion)';
  return thread.unread > 0 ? '$(mail)' : '$(mail-read)';
}
