// The server as the rest of the extension sees it: requests, changes, and its
// state. It starts on first use and again after a crash, until it crashes too
// often.

import { describeError, NotRunning } from './failures';
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { ProgressType } from 'vscode-languageclient/node';
import { readConfig, serverSettings } from '../config';
import { CrashPolicy } from './crashes';
import { HangDetector, whileCurrent } from './timeouts';
import { type Change, type Requests, type SearchPart, type Settings, type Status } from '../protocol';
import type { SamplePlace } from './samplePlace';
import type { ServerLocation } from './path';
import { findServer } from './process';
import { browserPlace } from '../places';
import { AnswerError, exitMessage, Session } from './session';

/**
 * idle: not needed yet. missing: no binary. failed: it could not start.
 * stopped: it crashed too often. The last three wait for the user.
 */
export type ServerState = 'idle' | 'starting' | 'running' | 'missing' | 'failed' | 'stopped';

/**
 * How long to wait for the exit of a process after a failed start. On a busy
 * machine the exit is noticed late, and a crash must not count as a wrong answer.
 */
const exitWaitMillis = 3_000;

export class Server implements vscode.Disposable {
  readonly log: vscode.LogOutputChannel;
  readonly #extensionFolder: string;
  readonly #crashes = new CrashPolicy();
  readonly #stateEmitter = new vscode.EventEmitter<ServerState>();
  readonly #changeEmitter = new vscode.EventEmitter<Change>();
  readonly #statusEmitter = new vscode.EventEmitter<Status>();
  #state: ServerState = 'idle';
  #status: Status | undefined;
  #problem = '';
  #command = '';
  #program = '';
  #session: Session | undefined;
  #starting: Promise<Session> | undefined;
  #disposed = false;
  #sample: SamplePlace | undefined;
  readonly #hangs = new HangDetector(
    () => this.#session?.client.sendRequest('signalbox/status', {}) ?? Promise.resolve(),
    () => {
      this.log.error('server: does not answer; it is ended');
      this.#session?.kill();
    },
  );

  readonly onDidChangeState = this.#stateEmitter.event;
  /** Messages or read marks changed. */
  readonly onDidChange = this.#changeEmitter.event;
  /** The status changed: alias, directories, limits. Also fires after every start. */
  readonly onDidChangeStatus = this.#statusEmitter.event;

  constructor(extensionFolder: string, log: vscode.LogOutputChannel) {
    this.#extensionFolder = extensionFolder;
    this.log = log;
  }

  get state(): ServerState {
    return this.#state;
  }

  /** Whether the server waits for the user: only a restart starts it. */
  get broken(): boolean {
    return ['missing', 'failed', 'stopped'].includes(this.#state);
  }

  /** The server's last status, while it runs. */
  get status(): Status | undefined {
    return this.#status;
  }

  /** Why the server does not run; empty while it does. */
  get problem(): string {
    return this.#problem;
  }

  /** The binary in use and where it was found, for the doctor. */
  get command(): string {
    return this.#command;
  }

  /** The binary's path; empty before the first start. */
  get program(): string {
    return this.#program;
  }

  /** Starts the server unless it runs. Throws the reason if it cannot run. */
  async ensure(): Promise<void> {
    await this.#running();
  }

  /** Sends a request, starting the server first if needed. */
  async request<M extends keyof Requests>(
    method: M,
    params: Requests[M]['params'],
    token?: vscode.CancellationToken,
  ): Promise<Requests[M]['result']> {
    const { client } = await this.#running();
    return this.#hangs.wait(
      token === undefined
        ? client.sendRequest<Requests[M]['result']>(method, params)
        : client.sendRequest<Requests[M]['result']>(method, params, token),
    );
  }

  /** Searches. `found` gets results as soon as they are certain; the page has the later ones. */
  async search(
    params: Requests['signalbox/search']['params'],
    token: vscode.CancellationToken,
    found: (part: SearchPart) => void,
  ): Promise<Requests['signalbox/search']['result']> {
    const { client } = await this.#running();
    const partialResultToken = randomUUID();
    const parts = client.onProgress(new ProgressType<SearchPart>(), partialResultToken, found);
    try {
      return await this.request('signalbox/search', { ...params, partialResultToken }, token);
    } finally {
      parts.dispose();
    }
  }

  /** Runs one of the server's own commands and returns its text. */
  async execute(command: string): Promise<string> {
    const { client } = await this.#running();
    const params = { command, arguments: [] };
    return (await client.sendRequest<{ text: string }>('workspace/executeCommand', params)).text;
  }

  /** Sends the settings to a running server. */
  async settingsChanged(): Promise<void> {
    await this.#session?.client.sendNotification('workspace/didChangeConfiguration', {
      settings: { signalbox: this.#settings() },
    });
  }

  /** Sends the settings to the server and returns the new status. */
  async refreshStatus(): Promise<Status> {
    await this.ensure();
    await this.settingsChanged();
    const status = await this.request('signalbox/status', {});
    this.#takeStatus(status);
    return status;
  }

  /** Stops the server, forgets its crashes and starts it again. */
  async restart(): Promise<void> {
    await this.#stop();
    this.#crashes.reset();
    this.#set('idle', '');
    await this.#running();
  }

  /** The sample mail that is shown in place of the user's own, if any. */
  get sample(): SamplePlace | undefined {
    return this.#sample;
  }

  /** Starts the server again over sample mail, or over the user's own. */
  async useSample(sample: SamplePlace | undefined): Promise<void> {
    this.#sample = sample;
    await this.restart();
  }

  dispose(): void {
    void this.stop();
  }

  /** Stops the server for good. */
  async stop(): Promise<void> {
    this.#disposed = true;
    await this.#stop();
    this.#stateEmitter.dispose();
    this.#changeEmitter.dispose();
    this.#statusEmitter.dispose();
  }

  #settings(): Settings {
    return { ...serverSettings(), ...browserPlace()?.settings(), ...this.#sample?.settings };
  }

  #running(): Promise<Session> {
    if (this.#disposed) return Promise.reject(new NotRunning('Signalbox is shutting down'));
    if (this.broken) return Promise.reject(new NotRunning(this.#problem));
    this.#starting ??= this.#start();
    return this.#starting;
  }

  async #start(): Promise<Session> {
    this.#set('starting', '');
    const location = findServer(readConfig().serverPath, this.#extensionFolder);
    if (!location.found) {
      this.#starting = undefined;
      this.#set('missing', missingMessage(location));
      throw new NotRunning(this.#problem);
    }
    this.#program = location.command;
    this.#command = `${location.command} (${location.origin})`;
    this.log.info(`server: starting ${this.#command}`);
    const session = new Session(location.command, () => this.#settings(), this.log, this.#sample);
    this.#session = session;
    const current = (): boolean => this.#session === session;
    session.client.onNotification('signalbox/didChange', (change: Change) => {
      if (current()) this.#changeEmitter.fire(change);
    });
    session.client.onNotification('signalbox/didChangeStatus', (status: Status) => {
      if (current()) this.#takeStatus(status);
    });
    try {
      await session.start();
      const status = await whileCurrent(session.client.sendRequest<Status>('signalbox/status', {}), current);
      void session.exited.then(() => this.#ended(session));
      this.log.info(`server: version ${status.version} runs as ${status.alias} (${status.aliasOrigin})`);
      this.#set('running', '');
      this.#takeStatus(status);
      return session;
    } catch (error) {
      return await this.#startFailed(session, error);
    }
  }

  /** Handles a failed start. A server that died counts as a crash; one that answered wrongly is not started again. */
  async #startFailed(session: Session, error: unknown): Promise<Session> {
    // The closed connection is noticed before the exit that caused it.
    const exit = await session.exitWithin(error instanceof AnswerError ? 0 : exitWaitMillis);
    const ran = exit !== undefined && (exit.code !== null || exit.signal !== null);
    const reason = exit === undefined ? describeError(error) : exitMessage(exit);
    this.log.error(`server: could not start: ${reason}`);
    await session.stop().catch(() => undefined);
    if (this.#session !== session) throw new NotRunning(reason);
    this.#session = undefined;
    this.#starting = undefined;
    if (ran && this.#crashes.crashed(Date.now()) === 'restart') return this.#running();
    this.#set(ran ? 'stopped' : 'failed', reason);
    throw new NotRunning(reason);
  }

  async #ended(session: Session): Promise<void> {
    if (this.#session !== session) return;
    const reason = exitMessage(await session.exited);
    this.#session = undefined;
    this.#starting = undefined;
    this.#status = undefined;
    await session.client.stop();
    this.log.error(`server: ended unasked: ${reason}`);
    if (this.#crashes.crashed(Date.now()) === 'stop') {
      this.#set('stopped', reason);
      return;
    }
    await this.#running().catch(() => undefined);
  }

  async #stop(): Promise<void> {
    const session = this.#session;
    this.#session = undefined;
    this.#starting = undefined;
    this.#status = undefined;
    await session?.stop().catch((error: unknown) => {
      this.log.warn(`server: stopping: ${describeError(error)}`);
    });
  }

  #set(state: ServerState, problem: string): void {
    this.#state = state;
    this.#problem = problem;
    if (problem !== '') this.log.error(`server: ${state}: ${problem}`);
    if (!this.#disposed) this.#stateEmitter.fire(state);
  }

  #takeStatus(status: Status): void {
    this.#status = status;
    for (const warning of status.warnings) this.log.warn(`${warning.rule}: ${warning.message}`);
    this.#statusEmitter.fire(status);
  }
}

function missingMessage(location: Extract<ServerLocation, { found: false }>): string {
  const places = location.looked.join(', ');
  return {
    relative: vscode.l10n.t('signalbox.server.path is "{0}": it must be an absolute path', places),
    setting: vscode.l10n.t('signalbox.server.path is "{0}": there is no program there', places),
    nowhere: vscode.l10n.t('no signalbox server found: looked for {0}', places),
  }[location.problem];
}
