// The actions of the buttons in a row of "Agents".

import * as vscode from 'vscode';
import { typeToNamed } from '../needs/commands';
import type { Terminals } from '../agent/terminals';
import type { AgentItem, Draft, Ref, Sent } from '../protocol';
import type { Server } from '../server/client';
import { describeError } from '../server/failures';
import { startAgentIn } from './startAgent';
import { reachWords } from '../agent/reach';
import type { ChangeEditors } from '../thread/changes/changeEditors';
import { realFolder } from '../agent/workFolder';
import { folderOf, nameOf, placeOf } from '../agent/agentWords';
import type { AgentAct } from './model';

/** What the actions need from the rest of the extension. */
export interface ActParts {
  readonly server: Server;
  readonly terminals: Terminals;
  readonly changes: ChangeEditors;
  readonly openThread: (ref: Ref) => void;
  /** Resumes a session; returns whether its program got the text. */
  readonly continueWith: (ref: Ref, text: string) => Promise<boolean>;
}

/** Runs the action of a button. A button that opens a box does nothing here. */
export async function runAct(parts: ActParts, agent: AgentItem, act: AgentAct): Promise<void> {
  const { changes, openThread, terminals } = parts;
  switch (act) {
    case 'changes':
      return showChangesOf(changes, agent);
    case 'terminal':
      terminals.of(agent)?.show();
      return;
    case 'window':
      return openWindow(agent);
    case 'start':
      return startAgentIn(folderOf(agent));
    case 'setUp':
      await vscode.commands.executeCommand('signalbox.setUp');
      return;
    case 'open':
      if (agent.thread !== undefined) openThread(agent.thread);
      else if (agent.state === 'none') await startAgentIn(folderOf(agent));
      else terminals.of(agent)?.show();
      return;
    case 'message':
    case 'continue':
      return;
  }
}

/** Shows the changes in an agent's worktree, or if it has none, the changes that its thread reports. */
async function showChangesOf(changes: ChangeEditors, agent: AgentItem): Promise<void> {
  await changes.show({
    title: agent.state === 'none' ? placeOf(agent) : nameOf(agent),
    folder: agent.gone === true ? '' : folderOf(agent),
    thread: agent.thread,
  });
}

/** Opens the folder of an agent in another window. */
export async function openWindow(agent: AgentItem): Promise<void> {
  const folder = await realFolder(folderOf(agent));
  if (folder === undefined) {
    void vscode.window.showInformationMessage(vscode.l10n.t('Signalbox: the folder is not there any more.'));
    return;
  }
  await vscode.commands.executeCommand('vscode.openFolder', vscode.Uri.file(folder), {
    forceNewWindow: true,
  });
}

/** Sends a text to an agent, or resumes its session with it. Returns a note on what happens then. */
export async function sendTo(
  parts: ActParts,
  agent: AgentItem,
  text: string,
  send: (draft: Draft) => Promise<Sent>,
): Promise<string> {
  const { server, terminals } = parts;
  const words = reachWords(vscode.l10n.t);
  if (agent.reach === 'continue' && agent.thread !== undefined) {
    await parts.continueWith(agent.thread, text);
    return words.continue.note;
  }
  const sent = await send({ to: agent.alias, body: text });
  if (sent.reach === 'type') {
    try {
      await typeToNamed(server, terminals, agent.alias);
    } catch (error) {
      server.log.warn(`nudge: ${describeError(error)}`); // the mail was sent
    }
  }
  return sent.reach === undefined ? '' : words[sent.reach].note;
}
