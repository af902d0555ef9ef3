// One run of the server process, from its start to its end. client.ts starts a new
// session after a crash.

import { negotiate, speaks } from './negotiation';
import { within } from './timeouts';
import type * as vscode from 'vscode';
import {
  CloseAction,
  ErrorAction,
  type DynamicFeature,
  type LanguageClient,
  type LanguageClientOptions,
  type StaticFeature,
} from 'vscode-languageclient/node';
import { documentMiddleware, documentSelector } from './documentSync';
import { Client, folderUri, startProcess, type Exit, type ServerProcess } from './process';
import { type Settings } from '../protocol';
import type { SamplePlace } from './samplePlace';

/** The server runs but this client cannot talk to it. Starting it again would not help. */
export class AnswerError extends Error {}

/** After so many unreadable frames in a row the server is ended. */
const maxFrameErrors = 3;
const initializeMillis = 30_000;
const stopMillis = 2_000;

/** Features that the extension provides itself, for all files. */
const ownFeatures: readonly string[] = [
  'workspace/executeCommand',
  'textDocument/hover',
  'textDocument/documentLink',
  'textDocument/definition',
  'textDocument/references',
  'textDocument/completion',
  'textDocument/documentSymbol',
  'textDocument/codeLens',
  'workspace/symbol',
];

/**
 * The language client without everything that would act on its own: the server's
 * commands are not registered in VS Code (they are for other editors), its hovers
 * are not shown beside the extension's, and errors go to the log instead of
 * notifications.
 */
class QuietClient extends Client {
  override registerFeature(feature: StaticFeature | DynamicFeature<unknown>): void {
    if ('registrationType' in feature && ownFeatures.includes(feature.registrationType.method)) return;
    super.registerFeature(feature);
  }

  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }

  override warn(message: string, data?: unknown): void {
    super.warn(message, data, false);
  }

  override async stop(timeout?: number): Promise<void> {
    // The library throws if the client never started.
    await super.stop(timeout).catch(() => undefined);
  }
}

export class Session {
  readonly client: LanguageClient;
  /** Settles when the process has ended. */
  readonly exited: Promise<Exit>;
  readonly #process: ServerProcess;

  /** With sample mail it has an environment and a workspace of its own. */
  constructor(
    command: string,
    settings: () => Settings,
    log: vscode.LogOutputChannel,
    sample: SamplePlace | undefined,
  ) {
    this.#process = startProcess(command, log, sample);
    this.exited = this.#process.exited;
    const options: LanguageClientOptions = {
      ...this.#process.options,
      // The middleware sends only the documents that the server checks for problems.
      documentSelector: documentSelector(),
      middleware: documentMiddleware(() => this.client),
      initializationOptions: settings,
      outputChannel: log,
      initializationFailedHandler: () => false,
      errorHandler: {
        error: (error, _message, count) => {
          log.error(`server: unreadable frame: ${error.message}`);
          if ((count ?? 0) >= maxFrameErrors) this.#process.kill();
          return { action: ErrorAction.Continue, handled: true };
        },
        closed: () => ({ action: CloseAction.DoNotRestart, handled: true }),
      },
    };
    this.client = new QuietClient('signalbox', 'Signalbox', this.#process.transport, options);
    this.client.registerFeature({
      fillClientCapabilities: (capabilities) => {
        capabilities.experimental = { ...asObject(capabilities.experimental), signalbox: speaks };
      },
      fillInitializeParams: (params) => {
        if (sample === undefined) return;
        params.workspaceFolders = [{ uri: folderUri(sample.project), name: 'project' }];
      },
      initialize: () => undefined,
      getState: () => ({ kind: 'static' }),
      clear: () => undefined,
    });
  }

  /** Initializes the server. Throws if it ends, hangs or speaks another major version. */
  async start(): Promise<void> {
    const ended = this.exited.then((exit) => {
      throw new Error(exitMessage(exit));
    });
    const started = Promise.race([this.client.start().then(() => true), ended]);
    if (!(await within(started, initializeMillis, false)))
      throw new AnswerError(`no answer to initialize within ${initializeMillis / 1000} s`);
    const answer = this.client.initializeResult;
    // The client's start succeeds even if the connection was lost meanwhile.
    if (answer === undefined) throw new Error('the connection ended before initialize was answered');
    const experimental: unknown = answer.capabilities.experimental;
    if (negotiate(experimental) === undefined) {
      throw new AnswerError('the server does not speak version 1 of the Signalbox protocol');
    }
  }

  /** Returns how the process ended, or undefined if it is still running after this time. */
  exitWithin(millis: number): Promise<Exit | undefined> {
    return within<Exit | undefined>(this.exited, millis, undefined);
  }

  /** Kills a server that hangs. It then counts as crashed. */
  kill(): void {
    this.#process.kill();
  }

  /** Stops the server, and kills it if it does not stop in time. */
  async stop(): Promise<void> {
    const timer = setTimeout(() => this.#process.kill(), stopMillis);
    try {
      await this.client.stop(stopMillis);
      this.#process.end();
      await this.exited;
    } finally {
      clearTimeout(timer);
    }
  }
}

function asObject(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}

/** Returns how a server ended, in words for the log and the inbox. */
export function exitMessage(exit: Exit): string {
  const how =
    exit.signal !== null
      ? `ended by ${exit.signal}`
      : exit.code !== null
        ? `exit status ${exit.code}`
        : 'not started';
  const last = exit.stderr.split('\n').at(-1) ?? '';
  return last === '' ? how : `${how}: ${last}`;
}
