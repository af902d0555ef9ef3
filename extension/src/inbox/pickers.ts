// The pickers that choose what the inbox shows, and in which order.

import * as vscode from 'vscode';
import type { Inbox } from './inbox';
import { isFiltered, noFilter, sorts, type Filter, type Place } from './filter';
import type { Group, Sort } from '../protocol';
import { filterWords } from './words';

interface FilterPick extends vscode.QuickPickItem {
  readonly apply?: (filter: Filter) => Filter;
}

/** All filters in one list, with those that are on checked. */
export async function pickFilters(inbox: Inbox): Promise<void> {
  const picks = filterPicks(inbox.filter, inbox.groups);
  const chosen = await vscode.window.showQuickPick(picks, {
    canPickMany: true,
    title: vscode.l10n.t('Filter Inbox'),
    placeHolder: vscode.l10n.t(
      'Threads must match everything that is checked; nothing checked shows the whole inbox',
    ),
  });
  if (chosen === undefined) return;
  await inbox.setFilter(chosen.reduce((filter, pick) => pick.apply?.(filter) ?? filter, noFilter));
}

function filterPicks(filter: Filter, groups: readonly Group[]): FilterPick[] {
  const words = filterWords(vscode.l10n.t);
  const heading = (label: string): FilterPick => ({ label, kind: vscode.QuickPickItemKind.Separator });
  const place = (name: Place): FilterPick => ({
    label: words.places[name],
    picked: filter.place === name,
    apply: (chosen) => ({ ...chosen, place: name }),
  });
  return [
    heading(vscode.l10n.t('State')),
    { label: words.unread, picked: filter.unread, apply: (chosen) => ({ ...chosen, unread: true }) },
    { label: words.mine, picked: filter.mine, apply: (chosen) => ({ ...chosen, mine: true }) },
    heading(vscode.l10n.t('Place')),
    place('archived'),
    place('snoozed'),
    place('suspicious'),
    heading(vscode.l10n.t('Format')),
    ...Object.entries(words.protocols).map(([protocol, label]) => ({
      label,
      picked: filter.protocol === protocol,
      apply: (chosen: Filter) => ({ ...chosen, protocol }),
    })),
    heading(vscode.l10n.t('Worktree')),
    ...groups.map(({ id, kind, title, path = '' }) => ({
      label: kind === 'mail' ? vscode.l10n.t('Mail') : title,
      description: path,
      picked: filter.group === id,
      apply: (chosen: Filter) => ({ ...chosen, group: id }),
    })),
  ];
}

/** One of the formats, or all. */
export async function pickProtocol(inbox: Inbox): Promise<void> {
  const picks = [
    { label: vscode.l10n.t('All formats'), protocol: '' },
    ...Object.entries(filterWords(vscode.l10n.t).protocols).map(([protocol, label]) => ({ label, protocol })),
  ];
  const chosen = await vscode.window.showQuickPick(picks, { title: vscode.l10n.t('Show one format') });
  if (chosen !== undefined) await inbox.setFilter({ ...inbox.filter, protocol: chosen.protocol });
}

/** The mail, one of the worktrees, or all. */
export async function pickGroup(inbox: Inbox): Promise<void> {
  const picks = [
    { label: vscode.l10n.t('All worktrees'), description: '', group: '' },
    ...inbox.groups.map(({ id, kind, title, path = '' }) => ({
      label: kind === 'mail' ? vscode.l10n.t('Mail') : title,
      description: path,
      group: id,
    })),
  ];
  const chosen = await vscode.window.showQuickPick(picks, { title: vscode.l10n.t('Show one worktree') });
  if (chosen !== undefined) await inbox.setFilter({ ...inbox.filter, group: chosen.group });
}

/** The order, which is kept for this workspace. */
export async function pickSort(inbox: Inbox): Promise<void> {
  const words = filterWords(vscode.l10n.t).sorts;
  const picks = sorts.map((sort: Sort) => ({
    label: words[sort],
    description: sort === inbox.sort ? vscode.l10n.t('now') : '',
    sort,
  }));
  const chosen = await vscode.window.showQuickPick(picks, { title: vscode.l10n.t('Sort threads') });
  if (chosen !== undefined) await inbox.setSort(chosen.sort);
}

/** Shows the whole inbox again. */
export async function clearFilters(inbox: Inbox): Promise<void> {
  if (isFiltered(inbox.filter)) await inbox.setFilter(noFilter);
  else await inbox.refresh();
}
