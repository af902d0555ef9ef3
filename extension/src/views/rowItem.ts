// The rows of all trees. Strangers' texts go in as plain text: appendLines escapes all markup.

import * as vscode from 'vscode';
import { join } from '../fill';
import { appendLines } from '../strangers';

/** The content of a row of a tree. Empty facts and lines are left out. */
export interface RowLook {
  readonly id: string;
  readonly title: string;
  /** The title as the row shows it, with the age and the sender. */
  readonly label?: string;
  /** The texts shown after the title. */
  readonly facts: readonly string[];
  /** The texts that a screen reader reads between the title and the facts. */
  readonly spoken?: readonly string[];
  readonly icon: vscode.ThemeIcon;
  /** The context value that the menus' when clauses match. */
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
