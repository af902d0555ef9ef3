// Finds the terminal of this window that an agent runs in, by its process.

import * as vscode from 'vscode';
import type { AgentItem } from '../protocol';
import { Registrations } from '../registrations';

export class Terminals extends Registrations {
  readonly #shells = new Map<number, vscode.Terminal>();
  readonly #emitter = new vscode.EventEmitter<undefined>();

  /** Fires when a terminal was opened or closed. */
  readonly onDidChange = this.#emitter.event;

  constructor() {
    super();
    this.register(
      this.#emitter,
      vscode.window.onDidOpenTerminal((terminal) => void this.#add(terminal)),
      vscode.window.onDidCloseTerminal((terminal) => this.#remove(terminal)),
    );
    for (const terminal of vscode.window.terminals) void this.#add(terminal);
  }

  /** The processes of the shells. */
  get shells(): readonly number[] {
    return [...this.#shells.keys()];
  }

  /** Returns the terminal whose shell is among the processes of an agent. */
  of({ processes }: Pick<AgentItem, 'processes'>): vscode.Terminal | undefined {
    return processes.flatMap((process) => this.#shells.get(process) ?? [])[0];
  }

  /** Remembers a terminal once its shell runs. That may never happen. */
  async #add(terminal: vscode.Terminal): Promise<void> {
    const shell = await terminal.processId;
    if (shell === undefined || terminal.exitStatus !== undefined) return;
    this.#shells.set(shell, terminal);
    this.#emitter.fire(undefined);
  }

  #remove(terminal: vscode.Terminal): void {
    for (const [shell, known] of this.#shells) if (known === terminal) this.#shells.delete(shell);
    this.#emitter.fire(undefined);
  }
}
