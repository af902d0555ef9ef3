// The extension's side of the page of "Agents", wherever it is shown.

import * as vscode from 'vscode';
import type { AgentItem } from '../protocol';
import { failureOf } from '../server/failureWords';
import { describeError } from '../server/failures';
import type { CommonMessage } from '../views/messages';
import { hourMinute } from '../when';
import { sendingOnce } from '../compose/sendOnce';
import { runAct, sendTo, type ActParts } from './acts';
import type { AgentList } from './list';
import type { AgentsPlace, FromAgents, ToAgents } from './messages';
import { folderOf, nameOf } from '../agent/agentWords';
import { shownOf, type AgentsShown } from './model';
import { countWords } from './words';

/** The messages of this page alone, without those that all pages send. */
export type Own = Exclude<FromAgents, CommonMessage>;

/** Where the page is shown. */
export interface AgentsHome {
  readonly place: AgentsPlace;
  readonly ready: () => boolean;
  readonly send: (message: ToAgents) => void;
  /** Runs a button's action, and shows the user its failure. */
  readonly try: (run: () => Promise<void>) => Promise<void>;
}

export interface AgentsHostParts extends ActParts {
  readonly list: AgentList;
}

export class AgentsHost {
  readonly #parts: AgentsHostParts;
  readonly #home: AgentsHome;
  readonly #sendMail: ReturnType<typeof sendingOnce>;

  constructor(parts: AgentsHostParts, home: AgentsHome) {
    this.#parts = parts;
    this.#sendMail = sendingOnce(parts.server);
    this.#home = home;
  }

  /** Records whether the user sees the page. The agents are followed only while it is seen. */
  seen(seen: boolean): void {
    this.#parts.list.shown(this, seen);
  }

  /** Fills a page that was just opened. */
  begin(): Promise<void> {
    this.show();
    return this.load();
  }

  load(): Promise<void> {
    return this.#parts.list.refresh();
  }

  /** Returns the rows to show, or undefined while the agents are not known. */
  shown(): AgentsShown | undefined {
    const { list, terminals } = this.#parts;
    const { agents, known } = list;
    if (!known) return undefined;
    return shownOf(agents, {
      now: Date.now(),
      inTerminal: (agent) => terminals.of(agent) !== undefined,
      clock: (time) => hourMinute(time, vscode.env.language),
    });
  }

  /** Fills the page, if it is there. */
  show(): void {
    const { place, ready, send } = this.#home;
    if (!ready()) return;
    const shown = this.shown();
    const { server } = this.#parts;
    if (shown === undefined) {
      send({ type: server.broken ? 'unknown' : 'starting' });
      return;
    }
    const { done, needing, working } = shown;
    const counts = countWords(vscode.l10n.t, { needing, working, ...(place === 'tab' ? { done } : {}) });
    send({ type: 'agents', place, shown, counts });
  }

  async receive(message: Own): Promise<void> {
    if (message.type === 'run') {
      const commands = { setUp: 'setUp', start: 'startAgent', restart: 'restartServer' };
      await vscode.commands.executeCommand(`signalbox.${commands[message.command]}`);
      return;
    }
    const agent = this.#parts.list.of(message.key);
    if (agent === undefined) return;
    switch (message.type) {
      case 'act':
        return this.#home.try(() => runAct(this.#parts, agent, message.act));
      case 'file':
        return this.#home.try(() => this.#file(agent, message.path));
      case 'whole':
        return this.#whole(agent);
      case 'send':
        return this.#send(agent, message.text);
    }
  }

  async #file(agent: AgentItem, path: string): Promise<void> {
    const folder = agent.gone === true ? '' : folderOf(agent);
    await this.#parts.changes.showFile({ title: nameOf(agent), folder, thread: agent.thread }, path);
  }

  /** Fetches what only the open row shows. */
  async #whole({ key }: AgentItem): Promise<void> {
    const { server } = this.#parts;
    try {
      const { agents } = await server.request('signalbox/agents/list', { key });
      const [agent] = agents;
      if (agent === undefined) return;
      const files = (agent.files ?? []).map(({ added = 0, path, removed = 0 }) => ({ path, added, removed }));
      this.#home.send({ type: 'whole', key, html: agent.saidHtml ?? '', files });
    } catch (error) {
      // The row already shows this in short.
      server.log.warn(`agents: ${describeError(error)}`);
    }
  }

  async #send(agent: AgentItem, text: string): Promise<void> {
    const { key } = agent;
    const { send } = this.#home;
    try {
      send({ type: 'sent', key, words: await sendTo(this.#parts, agent, text, this.#sendMail) });
      void this.load();
    } catch (error) {
      this.#parts.server.log.error(`send: ${describeError(error)}`);
      send({ type: 'notSent', key, failure: failureOf('send', error, vscode.l10n.t) });
    }
  }
}
