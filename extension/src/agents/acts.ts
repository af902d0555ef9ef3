// What the buttons of a row of "Agents" are for.

import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { typeToNamed } from '../needs/commands';
import type { Terminals } from '../agent/terminals';
import type { AgentItem, Ref } from '../protocol';
import type { Server } from '../server/client';
import { startAgentIn } from './startAgent';
import { reachWords } from '../agent/reach';
import type { ChangeEditors } from '../thread/changes/changeEditors';
import { realFolder } from '../agent/workFolder';
import { folderOf, nameOf, placeOf } from '../agent/agentWords';
import type { AgentAct } from './model';

/** What acts need of the others. */
export interface ActParts {
  readonly server: Server;
  readonly terminals: Terminals;
  readonly changes: ChangeEditors;
  readonly openThread: (ref: Ref) => void;
  /** Goes on with a session; returns whether its program was given the text. */
  readonly continueWith: (ref: Ref, text: string) => Promise<boolean>;
}

/** Does what a button is for, but for those that open a box. */
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

/** Shows what changed in the work tree of an agent, or where there is none, what its thread says that it changed. */
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

/** Sends a text to an agent, or goes on with its session, and says what became of it. */
export async function sendTo(parts: ActParts, agent: AgentItem, text: string): Promise<string> {
  const { server, terminals } = parts;
  const words = reachWords(vscode.l10n.t);
  if (agent.reach === 'continue' && agent.thread !== undefined) {
    await parts.continueWith(agent.thread, text);
    return words.continue.note;
  }
  const sent = await server.request('signalbox/message/send', {
    draft: { to: agent.alias, body: text },
    clientToken: randomUUID(),
  });
  if (sent.reach === 'type') await typeToNamed(server, terminals, agent.alias);
  return sent.reach === undefined ? '' : words[sent.reach].note;
}
