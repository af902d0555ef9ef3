// The rows of all trees. Everything that a stranger wrote goes in as text:
// appendLines escapes all markup.

import * as vscode from 'vscode';
import { join } from '../fill';
import { appendLines } from '../strangers';

/** What a row of a tree shows. Empty facts and lines are left out. */
export interface RowLook {
  readonly id: string;
  readonly title: string;
  /** The title as the row shows it, with its age and who it is from. */
  readonly label?: string;
  /** Stand behind the title. */
  readonly facts: readonly string[];
  /** What a screen reader says between the title and the facts. */
  readonly spoken?: readonly string[];
  readonly icon: vscode.ThemeIcon;
  /** What the menus go by. */
  readonly context: string;
  readonly tooltip: readonly string[];
  readonly state?: vscode.TreeItemCollapsibleState;
}

export function rowItem(look: RowLook): vscode.TreeItem {
  const { id, title, label = title, facts, spoken = [], icon, context, tooltip, state } = look;
  const item = new vscode.TreeItem(label, state);
  item.id = id;
  item.description = join(facts, ' · ');
  item.iconPath = icon;
  item.contextValue = context;
  item.tooltip = new vscode.MarkdownString();
  appendLines(item.tooltip, tooltip);
  item.accessibilityInformation = { label: join([title, ...spoken, ...facts], ', ') };
  return item;
}

/** Returns the row that fetches the next page of a list. */
export function moreItem(id: string, command: string): vscode.TreeItem {
  const title = vscode.l10n.t('Load more…');
  const item = new vscode.TreeItem(title);
  item.id = id;
  item.command = { command, title };
  item.contextValue = 'more';
  item.iconPath = themeIcon('ellipsis');
  return item;
}

export function themeIcon(id: string, color?: string): vscode.ThemeIcon {
  return color === undefined
    ? new vscode.ThemeIcon(id)
    : new vscode.ThemeIcon(id, new vscode.ThemeColor(color));
}
