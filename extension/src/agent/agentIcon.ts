// The icon for an agent's state, in a tree.

import type * as vscode from 'vscode';
import type { AgentItem } from '../protocol';
import { themeIcon } from '../views/rowItem';

/** Returns the icon for an agent's state, or undefined if there is nothing to show. */
export function agentIcon({
  state,
  unread,
}: Pick<AgentItem, 'state' | 'unread'>): vscode.ThemeIcon | undefined {
  if (state === 'waiting') return themeIcon('bell-dot', 'problemsWarningIcon.foreground');
  if (state === 'failed') return themeIcon('error', 'problemsErrorIcon.foreground');
  if (state === 'silent') return themeIcon('watch', 'problemsWarningIcon.foreground');
  if (state === 'stopped') return themeIcon('watch');
  if (state === 'working') return themeIcon('sync');
  if (state === 'done') return themeIcon('pass', 'testing.iconPassed');
  return state === 'idle' && unread > 0 ? themeIcon('mail') : undefined;
}
