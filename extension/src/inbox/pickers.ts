// The Quick Picks for the inbox's filter and order.

import * as vscode from 'vscode';
import type { Inbox } from './inbox';
import { isFiltered, noFilter, sorts, type Filter, type Place, type State } from './filter';
import type { Group } from '../protocol';
import { filterWords } from './words';

interface FilterPick extends vscode.QuickPickItem {
  readonly apply?: (filter: Filter) => Filter;
}

/** Shows all filters in one list, with the active ones checked. */
export async function pickFilters(inbox: Inbox): Promise<void> {
  const chosen = await vscode.window.showQuickPick(filterPicks(inbox.filter, inbox.groups), {
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
  const state = (name: State): FilterPick => ({
    label: words[name],
    picked: filter[name],
    apply: (chosen) => ({ ...chosen, [name]: true }),
  });
  return [
    heading(vscode.l10n.t('State')),
    state('unread'),
    state('needsReply'),
    state('mine'),
    state('suspicious'),
    heading(vscode.l10n.t('Place')),
    place('archived'),
    place('snoozed'),
    heading(vscode.l10n.t('Kind')),
    ...protocolPicks(filter),
    heading(vscode.l10n.t('Worktree')),
    ...groupPicks(filter, groups),
  ];
}

function protocolPicks(filter: Filter): FilterPick[] {
  return Object.entries(filterWords(vscode.l10n.t).protocols).map(([protocol, label]) => ({
    label,
    picked: filter.protocol === protocol,
    apply: (chosen) => ({ ...chosen, protocol }),
  }));
}

function groupPicks(filter: Filter, groups: readonly Group[]): FilterPick[] {
  return groups.map(({ id, kind, title, path = '' }) => ({
    label: kind === 'mail' ? vscode.l10n.t('All Mail') : title,
    description: path,
    picked: filter.group === id,
    apply: (chosen) => ({ ...chosen, group: id }),
  }));
}

/** Lets the user choose one of the formats, or all. */
export async function pickProtocol(inbox: Inbox): Promise<void> {
  const all: FilterPick = {
    label: vscode.l10n.t('All kinds'),
    apply: (filter) => ({ ...filter, protocol: '' }),
  };
  await pickOne(inbox, vscode.l10n.t('Show One Kind'), [all, ...protocolPicks(inbox.filter)]);
}

/** Lets the user choose the mail, one of the worktrees, or all. */
export async function pickGroup(inbox: Inbox): Promise<void> {
  const all: FilterPick = {
    label: vscode.l10n.t('All worktrees'),
    apply: (filter) => ({ ...filter, group: '' }),
  };
  await pickOne(inbox, vscode.l10n.t('Show One Worktree'), [all, ...groupPicks(inbox.filter, inbox.groups)]);
}

async function pickOne(inbox: Inbox, title: string, picks: readonly FilterPick[]): Promise<void> {
  const chosen = await vscode.window.showQuickPick(picks, { title });
  if (chosen?.apply !== undefined) await inbox.setFilter(chosen.apply(inbox.filter));
}

/** Lets the user choose the order, which is saved for this workspace. */
export async function pickSort(inbox: Inbox): Promise<void> {
  const words = filterWords(vscode.l10n.t).sorts;
  const now = vscode.l10n.t('now');
  const picks = sorts.map((sort) => ({
    label: words[sort],
    description: sort === inbox.sort ? now : '',
    sort,
  }));
  const chosen = await vscode.window.showQuickPick(picks, { title: vscode.l10n.t('Sort Inbox') });
  if (chosen !== undefined) await inbox.setSort(chosen.sort);
}

export async function clearFilters(inbox: Inbox): Promise<void> {
  if (isFiltered(inbox.filter)) await inbox.setFilter(noFilter);
  else await inbox.refresh();
}
