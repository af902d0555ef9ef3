// A part of the extension that asks the server.

import type * as vscode from 'vscode';
import { Registrations } from '../registrations';
import type { Server } from './client';

export abstract class ServerPart extends Registrations {
  readonly log: vscode.LogOutputChannel;
  protected readonly server: Server;

  constructor(server: Server) {
    super();
    this.server = server;
    this.log = server.log;
  }
}
