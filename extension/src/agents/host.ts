// The extension's side of the page of "Agents", wherever it is shown.

import * as vscode from 'vscode';
import type { AgentItem } from '../protocol';
import { failureOf } from '../server/failureWords';
import { describeError } from '../server/failures';
import type { CommonMessage } from '../views/messages';
import { hourMinute } from '../when';
import { runAct, sendTo, type ActParts } from './acts';
import type { AgentList } from './list';
import type { AgentsPlace, FromAgents, ToAgents } from './messages';
import { folderOf, nameOf } from '../needs/agentWords';
import { shownOf, type AgentsShown } from './model';
import { countWords } from './words';

/** What the page itself asks for. */
export type Own = Exclude<FromAgents, CommonMessage>;

/** A page that shows the agents. */
export interface AgentsPageHost {
  readonly place: AgentsPlace;
  readonly send: (message: ToAgents) => void;
  /** Does what a button is for, and tells the user when it fails. */
  readonly try: (run: () => Promise<void>) => Promise<void>;
}

export class AgentsHost {
  readonly #parts: ActParts;
  readonly #list: AgentList;

  constructor(parts: ActParts, list: AgentList) {
    this.#parts = parts;
    this.#list = list;
  }

  /** Returns what is shown now, or undefined where that is not known. */
  shown(): AgentsShown | undefined {
    const { agents, known } = this.#list;
    if (!known) return undefined;
    const { terminals } = this.#parts;
    return shownOf(agents, {
      now: Date.now(),
      inTerminal: (agent) => terminals.of(agent) !== undefined,
      clock: (time) => hourMinute(time, vscode.env.language),
    });
  }

  /** Fills a page. */
  show({ place, send }: AgentsPageHost): void {
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

  async receive(message: Own, page: AgentsPageHost): Promise<void> {
    if (message.type === 'run') {
      const commands = { setUp: 'setUp', start: 'startAgent', restart: 'restartServer' };
      await vscode.commands.executeCommand(`signalbox.${commands[message.command]}`);
      return;
    }
    const agent = this.#list.of(message.key);
    if (agent === undefined) return;
    switch (message.type) {
      case 'act':
        return page.try(() => runAct(this.#parts, agent, message.act));
      case 'file':
        return page.try(() => this.#file(agent, message.path));
      case 'whole':
        return this.#whole(agent, page);
      case 'send':
        return this.#send(agent, message.text, page);
    }
  }

  async #file(agent: AgentItem, path: string): Promise<void> {
    const folder = agent.gone === true ? '' : folderOf(agent);
    await this.#parts.changes.showFile({ title: nameOf(agent), folder, thread: agent.thread }, path);
  }

  /** Fetches what only the open row shows. */
  async #whole({ key }: AgentItem, { send }: AgentsPageHost): Promise<void> {
    const { server } = this.#parts;
    try {
      const { agents } = await server.request('signalbox/agents/list', { key });
      const [agent] = agents;
      if (agent === undefined) return;
      const files = (agent.files ?? []).map(({ added = 0, path, removed = 0 }) => ({ path, added, removed }));
      send({ type: 'whole', key, html: agent.saidHtml ?? '', files });
    } catch (error) {
      // The row says in short what it would say here.
      server.log.warn(`agents: ${describeError(error)}`);
    }
  }

  async #send(agent: AgentItem, text: string, { send }: AgentsPageHost): Promise<void> {
    const { key } = agent;
    try {
      send({ type: 'sent', key, words: await sendTo(this.#parts, agent, text) });
      void this.#list.refresh();
    } catch (error) {
      this.#parts.server.log.error(`send: ${describeError(error)}`);
      send({ type: 'notSent', key, failure: failureOf('send', error, vscode.l10n.t) });
    }
  }
}
