// Set Up: from nothing to an agent that reads its mail. It asks for the user's name,
// finds the programs that run agents, shows every edit before it is made, and sends a
// first message.

import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { Ref } from '../protocol';
import type { Server } from '../server/client';
import { noticeText } from '../strangers';
import { askName, chooseClients, confirmed, setUpWords, worktreeNames } from './asking';
import type { SetupChanges } from './changes';
import { clearAlias } from '../config';
import type { Facts, State } from './facts';
import { startLine } from './plan';
import { openFolder, type SetupProgram } from './program';
import type { Starter } from './starter';
import { busy } from './progress';

/** All test messages are in one thread. */
const testThread = 'signalbox-test';

export interface SetUpParts {
  readonly server: Server;
  readonly program: SetupProgram;
  readonly changes: SetupChanges;
  readonly openThread: (ref: Ref) => void;
  readonly starter: Starter;
}

/** What the user chose. */
interface Chosen {
  readonly facts: Facts;
  readonly person: string;
  readonly clients: readonly State[];
}

export async function setUp(parts: SetUpParts): Promise<void> {
  const facts = await busy(vscode.l10n.t('Looking for agents…'), () => parts.program.facts());
  const worktrees = worktreeNames(parts.server, facts);
  const person = await askName(parts.server, facts, worktrees);
  if (person === undefined) return;
  const clients = await chooseClients(facts, worktrees);
  if (clients === undefined) return;
  const names = clients.map(({ client }) => client);
  if (!(await confirmed(parts.changes, await parts.program.plans(facts, names), setUpWords()))) return;
  const { remarks, failed } = await busy(vscode.l10n.t('Setting up your agents…'), () =>
    parts.program.write(facts, names, person),
  );
  if (remarks !== '') parts.server.log.warn(`setup: ${remarks}`);
  const alias = await readAs(parts.server, person);
  // The name is written first: if it was not, nothing was.
  if (parts.server.status?.person !== person) throw new Error(remarks);
  if (failed) void vscode.window.showWarningMessage(noticeText(remarks, 400));
  const sent = await sendTest(parts, { facts, person: alias, clients });
  void showNextStep(parts, { facts, person, clients }, alias, sent);
}

/** Makes the editor read as the person, even if a setting had another name. Returns the alias it uses. */
async function readAs(server: Server, person: string): Promise<string> {
  let status = await server.refreshStatus();
  if (status.alias === person) return person;
  await clearAlias();
  status = await server.refreshStatus();
  return status.alias;
}

/** Sends a message to this folder's agent, or else to the user. Sends none in an untrusted workspace. */
async function sendTest(parts: SetUpParts, chosen: Chosen): Promise<Ref | undefined> {
  if (!vscode.workspace.isTrusted) return undefined;
  const { person, facts, clients } = chosen;
  const agent = openFolder() !== undefined && clients.some(({ client }) => startLine(client) !== undefined);
  const draft = agent
    ? {
        to: facts.agent,
        thread: testThread,
        body: vscode.l10n.t(
          'Hello {0}, {1} is testing your mail. Please answer with one line.',
          facts.agent,
          person,
        ),
      }
    : {
        to: person,
        thread: testThread,
        body: vscode.l10n.t('A test: this message went to disk and came back.'),
      };
  const { thread } = await parts.server.request('signalbox/message/send', {
    draft,
    clientToken: randomUUID(),
  });
  return thread;
}

/** Shows what to do next. */
async function showNextStep(
  parts: SetUpParts,
  chosen: Chosen,
  alias: string,
  sent: Ref | undefined,
): Promise<void> {
  const { person, facts, clients } = chosen;
  if (alias !== person) {
    const text = vscode.l10n.t(
      'Your agents write to {0}, and here you read as {1} ({2}).',
      person,
      alias,
      parts.server.status?.aliasOrigin ?? '',
    );
    void vscode.window.showWarningMessage(noticeText(text));
  }
  const startable = clients.find(({ client }) => startLine(client) !== undefined);
  if (startable === undefined || sent === undefined || openFolder() === undefined) {
    if (sent !== undefined) parts.openThread(sent);
    const text =
      clients.length === 0
        ? vscode.l10n.t(
            'No program that runs agents was found on this machine. Install one, and run Set Up again.',
          )
        : vscode.l10n.t('Set up: {0}. Start an agent: it is told of its mail as it works.', titles(clients));
    void vscode.window.showInformationMessage(text);
    return;
  }
  await parts.starter.offer(sent, { ...startable, agent: facts.agent });
  parts.openThread(sent);
}

function titles(clients: readonly State[]): string {
  return clients.map(({ title }) => title).join(', ');
}
