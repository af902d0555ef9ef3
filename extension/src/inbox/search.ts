// The Quick Pick that searches everything. Typing cancels the running search and starts
// another on the server, which sends hits as it finds them. The last row fetches older hits.

import { failureOf } from '../server/failureWords';
import { describeError, isCancelled } from '../server/failures';
import * as vscode from 'vscode';
import type { Server } from '../server/client';
import { join } from '../fill';
import { withoutIcons } from '../strangers';
import { type Ref, type SearchHit, type SearchPage } from '../protocol';
import { relativeTime } from '../when';
import { foundTitle, hitLines, searchingTitle } from './searchWords';

/** Shorter than most people take between two keys. A search that is overtaken ends at once. */
const pauseMillis = 50;
const pageSize = 50;

type SearchPick = vscode.QuickPickItem &
  (
    | { readonly does: 'open'; readonly hit: SearchHit }
    | { readonly does: 'again'; readonly cursor: string | undefined }
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
    'tool:': vscode.l10n.t('an agent used a tool, such as Bash'),
    'file:': vscode.l10n.t('an agent read or changed a file, by its path'),
    'client:': vscode.l10n.t('of an agent’s program, such as codex'),
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

/** Reports whether the argument is from a page that opens the search: text that was typed there. */
const isTyped = (argument: unknown): argument is { readonly text: string } =>
  typeof argument === 'object' &&
  argument !== null &&
  'text' in argument &&
  typeof argument.text === 'string';

/** The open search. */
let shown: vscode.QuickPick<SearchPick> | undefined;

/** Opens the search with a text, or adds the text to the search that is open. */
export function searchMail(
  server: Server,
  open: (thread: Ref, message: Ref) => void,
  argument: unknown,
): void {
  const text = isTyped(argument) ? argument.text : '';
  if (shown !== undefined) {
    shown.value += text;
    return;
  }
  const picker = vscode.window.createQuickPick<SearchPick>();
  // The rows stay in the server's order. VS Code reads this member, but its types lack it.
  // Without it, rows whose title contains the query come first.
  Object.assign(picker, { sortByLabel: false });
  picker.matchOnDetail = true; // VS Code highlights the query in a row that contains it as typed.
  let timer: NodeJS.Timeout | undefined;
  let asked: vscode.CancellationTokenSource | undefined;
  /** The query that the rows answer, and whether Enter was pressed before there were any. */
  let answered = '';
  let entered = false;
  const openHit = ({ thread, message }: SearchHit): void => {
    picker.hide();
    open(thread, message);
  };
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
    const query = picker.value;
    asked = mine;
    picker.busy = true;
    const overtaken = (): boolean => asked !== mine;
    // The last query's rows stay until there is something else to show.
    let rows = cursor === undefined ? [] : picker.items.filter(({ does }) => does === 'open');
    const kept = rows.length;
    picker.title = searchingTitle(vscode.l10n.t, kept);
    const add = (hits: readonly SearchHit[], last: readonly SearchPick[] = []): void => {
      const active = rows.length > kept ? picker.activeItems : [];
      picker.keepScrollPosition = rows.length > 0;
      rows = [...rows, ...hits.map(hitPick)];
      picker.items = [...rows, ...last];
      // The active row stays active. After a further page, its first row becomes active.
      const next = rows[kept];
      if (active.length > 0) picker.activeItems = active;
      else if (kept > 0 && next !== undefined) picker.activeItems = [next];
      answered = query;
      const [first] = hits;
      if (entered && first !== undefined) openHit(first);
    };
    try {
      const next = cursor === undefined ? {} : { cursor };
      const params = { query, limit: pageSize, ...next };
      const page = await server.search(params, mine.token, ({ hits }) => {
        if (overtaken()) return;
        add(hits);
        picker.title = searchingTitle(vscode.l10n.t, rows.length);
      });
      if (overtaken()) return;
      add(page.hits, furtherPicks(page));
      picker.title = foundTitle(vscode.l10n.t, rows.length, page);
    } catch (error) {
      if (isCancelled(error)) return;
      server.log.error(`search: ${describeError(error)}`);
      if (overtaken()) return;
      add([]);
      picker.title = failureOf('search', error, vscode.l10n.t).text;
    } finally {
      if (!overtaken()) giveUp();
      mine.dispose();
    }
  };
  const showFilters = (): void => {
    answered = '';
    picker.items = filterPicks();
    picker.title = vscode.l10n.t('Search mail, tasks and sessions');
  };
  picker.placeholder = vscode.l10n.t('Words, "phrases", from:, to:, is:unread …');
  showFilters();
  picker.onDidChangeValue((value) => {
    giveUp();
    entered = false;
    if (value.trim() === '') showFilters();
    else timer = setTimeout(() => void ask(), pauseMillis);
  });
  picker.onDidAccept(() => {
    const { value } = picker;
    // The rows still belong to an earlier query. The first hit of this one opens once found.
    if (value.trim() !== '' && value !== answered) {
      entered = true;
      return;
    }
    // Nothing is selected until the window has the rows. Enter then opens the first one.
    const chosen = picker.selectedItems[0] ?? (value.trim() === '' ? undefined : picker.items[0]);
    if (chosen?.does === 'again') void ask(chosen.cursor);
    if (chosen?.does === 'insert') picker.value = chosen.text;
    if (chosen?.does === 'open') openHit(chosen.hit);
  });
  picker.onDidHide(() => {
    giveUp();
    shown = undefined;
    picker.dispose();
  });
  shown = picker;
  picker.value = text;
  picker.show();
}

/** Returns the row that searches further back, or searches again if something was not read yet. */
function furtherPicks({ nextCursor: cursor, complete }: SearchPage): readonly SearchPick[] {
  if (cursor === undefined && complete) return [];
  const label =
    cursor === undefined
      ? `$(refresh) ${vscode.l10n.t('Search again')}`
      : `$(ellipsis) ${vscode.l10n.t('Search further back')}`;
  return [{ does: 'again', cursor, alwaysShow: true, label }];
}

function hitPick(hit: SearchHit): SearchPick {
  const time = relativeTime(hit.time, Date.now(), vscode.env.language);
  const warning = hit.trust.level === 'warn' ? hit.trust.label : '';
  return {
    does: 'open',
    hit,
    // The server searches. Without this, the picker would filter its results again.
    alwaysShow: true,
    label: `${iconOf(hit)} ${withoutIcons(hit.title)}`,
    description: withoutIcons(join([join([hit.from, hit.to], ' → '), time, warning], ' · ')),
    detail: withoutIcons(hitLines(hit)),
  };
}

function iconOf({ protocol, trust, unread }: SearchHit): string {
  if (trust.level === 'warn') return '$(warning)';
  if (protocol === 'session' || protocol === 'atsf') return '$(comment-discussion)';
  return unread ? '$(mail)' : '$(mail-read)';
}
