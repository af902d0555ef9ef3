// What a part of the extension registered with VS Code.

import type * as vscode from 'vscode';
import type { Server } from './server/client';

/** A part of the extension. Disposing of it takes back everything that it registered. */
export abstract class Registrations implements vscode.Disposable {
  readonly #registered: vscode.Disposable[] = [];

  dispose(): void {
    for (const registration of this.#registered) registration.dispose();
  }

  protected register(...registrations: readonly vscode.Disposable[]): void {
    this.#registered.push(...registrations);
  }
}

/** A part that asks the server. */
export abstract class ServerPart extends Registrations {
  readonly log: vscode.LogOutputChannel;
  protected readonly server: Server;

  constructor(server: Server) {
    super();
    this.server = server;
    this.log = server.log;
  }
}
