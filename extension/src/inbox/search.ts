// The Quick Pick that searches all mail. Typing starts a new search on the
// server; the last row fetches older results.

import { failureOf } from '../server/failureWords';
import { describeError, isCancelled } from '../server/failures';
import * as vscode from 'vscode';
import type { Server } from '../server/client';
import { join } from '../fill';
import { withoutIcons } from '../strangers';
import { type Ref, type SearchHit, type SearchPage } from '../protocol';
import { relativeTime } from '../when';

const pauseMillis = 150;
const pageSize = 50;

type SearchPick = vscode.QuickPickItem &
  (
    | { readonly does: 'open'; readonly hit: SearchHit }
    | { readonly does: 'more'; readonly cursor: string }
    | { readonly does: 'insert'; readonly text: string }
  );

/** Returns the filters of the query language with their meaning, shown while the box is empty. */
function filterPicks(): readonly SearchPick[] {
  const meanings = {
    'from:': vscode.l10n.t('from somebody'),
    'to:': vscode.l10n.t('to somebody'),
    'thread:': vscode.l10n.t('in a thread'),
    'is:unread': vscode.l10n.t('not read yet'),
    'in:': vscode.l10n.t('in a worktree, by its branch'),
    'protocol:': vscode.l10n.t('of a format: samp, amp, agn, atsf'),
    'after:': vscode.l10n.t('from a day on, such as 2026-11-01'),
    'before:': vscode.l10n.t('before a day'),
  };
  return Object.entries(meanings).map(([text, description]) => ({
    does: 'insert',
    text,
    label: text,
    description,
  }));
}

export function searchMail(server: Server, open: (thread: Ref, message: Ref) => void): void {
  const picker = vscode.window.createQuickPick<SearchPick>();
  let timer: NodeJS.Timeout | undefined;
  let asked: vscode.CancellationTokenSource | undefined;
  /** Cancels a search that is still running. */
  const giveUp = (): void => {
    clearTimeout(timer);
    asked?.cancel();
    asked = undefined;
    picker.busy = false;
  };
  const ask = async (cursor?: string): Promise<void> => {
    giveUp();
    const mine = new vscode.CancellationTokenSource();
    asked = mine;
    picker.busy = true;
    const overtaken = (): boolean => asked !== mine;
    try {
      const next = cursor === undefined ? {} : { cursor };
      const params = { query: picker.value, limit: pageSize, ...next };
      const page = await server.request('signalbox/search', params, mine.token);
      if (!overtaken()) showPage(picker, page, cursor !== undefined);
    } catch (error) {
      if (!isCancelled(error)) {
        server.log.error(`search: ${describeError(error)}`);
        if (!overtaken()) picker.title = failureOf('search', error, vscode.l10n.t).text;
      }
    } finally {
      if (!overtaken()) giveUp();
      mine.dispose();
    }
  };
  picker.placeholder = vscode.l10n.t('Search all mail: words, "phrases", from:, to:, is:unread …');
  picker.items = filterPicks();
  picker.onDidChangeValue((value) => {
    giveUp();
    if (value.trim() !== '') {
      timer = setTimeout(() => void ask(), pauseMillis);
      return;
    }
    picker.items = filterPicks();
    picker.title = undefined;
  });
  picker.onDidAccept(() => {
    const [chosen] = picker.selectedItems;
    if (chosen?.does === 'more') void ask(chosen.cursor);
    if (chosen?.does === 'insert') picker.value = chosen.text;
    if (chosen?.does !== 'open') return;
    picker.hide();
    open(chosen.hit.thread, chosen.hit.message);
  });
  picker.onDidHide(() => {
    giveUp();
    picker.dispose();
  });
  picker.show();
}

function showPage(picker: vscode.QuickPick<SearchPick>, page: SearchPage, further: boolean): void {
  const { hits, nextCursor: cursor, problems } = page;
  const before = further ? picker.items.filter(({ does }) => does === 'open') : [];
  const found = hits.map(hitPick);
  const items = [...before, ...found];
  const label = `$(ellipsis) ${vscode.l10n.t('Search further back')}`;
  picker.items = cursor === undefined ? items : [...items, { does: 'more', cursor, alwaysShow: true, label }];
  const [first] = found;
  if (further && first !== undefined) picker.activeItems = [first];
  const nothing = items.length === 0 && cursor === undefined;
  picker.title = problems[0]?.message ?? (nothing ? vscode.l10n.t('Nothing was found.') : undefined);
}

function hitPick(hit: SearchHit): SearchPick {
  const time = relativeTime(hit.time, Date.now(), vscode.env.language);
  return {
    does: 'open',
    hit,
    // The server searches. Without this, the picker would filter its results again.
    alwaysShow: true,
    label: `${hit.unread ? '$(mail)' : '$(mail-read)'} ${withoutIcons(hit.title)}`,
    description: withoutIcons(join([join([hit.from, hit.to], ' → '), time], ' · ')),
    detail: withoutIcons(hit.snippet),
  };
}
