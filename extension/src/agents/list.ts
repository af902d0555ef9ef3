// The states of all agents, fetched while a page shows them.

import * as vscode from 'vscode';
import { Refresher } from '../server/refresher';
import type { AgentItem } from '../protocol';
import { Registrations } from '../registrations';
import type { Server } from '../server/client';
import { describeError } from '../server/failures';

/** How often the list is fetched again at once while changed lines are not counted yet. */
const moreFetches = 20;

export class AgentList extends Registrations {
  readonly #server: Server;
  readonly #emitter = new vscode.EventEmitter<undefined>();
  readonly #refresher: Refresher;
  readonly #shownIn = new Set<object>();
  #agents: readonly AgentItem[] = [];
  #revision = -1;
  #known = false;

  /** Fires when the agents, or whether they are known, may have changed. */
  readonly onDidChange = this.#emitter.event;

  constructor(server: Server) {
    super();
    this.#server = server;
    const revision = (): number => this.#revision;
    this.#refresher = new Refresher({
      get revision() {
        return revision();
      },
      reload: () => this.#reload(),
    });
    this.register(
      this.#emitter,
      server.onDidChange((change) => void this.#newer(change.revision)),
      server.onDidChangeStatus(() => void this.refresh()),
      server.onDidChangeState(() => {
        if (server.state === 'running') return;
        this.#revision = -1;
        this.#known = false;
        this.#emitter.fire(undefined);
      }),
    );
  }

  /** The agents in the server's order. */
  get agents(): readonly AgentItem[] {
    return this.#agents;
  }

  /** Whether the agents were fetched since the server started. */
  get known(): boolean {
    return this.#known;
  }

  of(key: string): AgentItem | undefined {
    return this.#agents.find((agent) => agent.key === key);
  }

  /** Follows the agents as long as a page shows them. */
  shown(page: object, shown: boolean): void {
    if (!shown) this.#shownIn.delete(page);
    else if (!this.#shownIn.has(page)) {
      this.#shownIn.add(page);
      void this.refresh();
    }
  }

  /** Fetches the agents again if a page shows them. */
  async refresh(): Promise<void> {
    if (this.#shownIn.size > 0 && this.#server.state === 'running') await this.#refresher.now();
  }

  /** Fetches and returns the agents, even if no page shows them. */
  async fetch(): Promise<readonly AgentItem[]> {
    const page = await this.#server.request('signalbox/agents/list', { all: true });
    this.#agents = page.agents;
    return page.agents;
  }

  async #newer(revision: number): Promise<void> {
    if (this.#shownIn.size > 0) await this.#refresher.revision(revision);
  }

  async #reload(again = moreFetches): Promise<void> {
    try {
      const page = await this.#server.request('signalbox/agents/list', { all: true });
      if (page.revision < this.#revision) return;
      this.#agents = page.agents;
      this.#revision = page.revision;
      this.#known = true;
      this.#emitter.fire(undefined);
      // The rows are shown at once, and their numbers of changed lines once those are counted.
      if (page.uncounted === true && again > 0 && this.#shownIn.size > 0) await this.#reload(again - 1);
    } catch (error) {
      this.#server.log.warn(`agents: ${describeError(error)}`);
    }
  }
}
