// What is known of the workspace. It is read when something first needs it, and
// again after a change. Views, documents, hovers and checks all ask here.

import * as vscode from 'vscode';
import { openCore, type RunningCore } from './core';
import { look, tokensOf, type Look } from './look';
import { reasonOf, type Desk, type Target } from './model';
import { concerns, maybeFolder } from './paths';
import { findFiles, pathOf, WorkspaceFiles } from './workspaceFiles';
import { Registrations } from '../registrations';
import { idForm } from '../setup/config';

/** How long to wait for more changes after one, in milliseconds. */
const settle = 300;

export type State = 'starting' | 'shown' | 'failed';

export class Mailroom extends Registrations {
  readonly #extension: vscode.Uri;
  readonly #log: vscode.LogOutputChannel;
  readonly #files = new WorkspaceFiles();
  readonly #changed = new vscode.EventEmitter<void>();
  #core: Promise<RunningCore> | undefined;
  #look: Promise<Look> | undefined;
  #last: Look | undefined;
  #tokens: Promise<ReadonlyMap<string, Target>> | undefined;
  #searching = new vscode.CancellationTokenSource();
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Fires when the views may have to change. */
  readonly onDidChange = this.#changed.event;
  state: State = 'starting';
  /** The reason if the state is failed. */
  reason = '';

  constructor(extension: vscode.Uri, log: vscode.LogOutputChannel) {
    super();
    this.#extension = extension;
    this.#log = log;
    // All files: when a folder comes or goes, the event names only the folder.
    const watcher = vscode.workspace.createFileSystemWatcher('**/*');
    const changed = (uri: vscode.Uri): void => {
      const path = pathOf(uri);
      if (path !== undefined && concerns(path)) this.#again(path);
    };
    const cameOrWent = (uri: vscode.Uri): void => {
      const path = pathOf(uri);
      if (path !== undefined && (concerns(path) || maybeFolder(path))) this.#again(path);
    };
    this.register(
      this.#changed,
      watcher,
      watcher.onDidChange(changed),
      watcher.onDidCreate(cameOrWent),
      watcher.onDidDelete(cameOrWent),
      vscode.workspace.onDidChangeWorkspaceFolders(() => this.refresh()),
    );
  }

  override dispose(): void {
    clearTimeout(this.#timer);
    this.#searching.cancel();
    this.#searching.dispose();
    super.dispose();
    void this.#core?.then((core) => {
      core.dispose();
    }, ignore);
  }

  /** Reads everything again. */
  refresh(): void {
    this.#files.clear();
    if (this.state === 'failed') this.#core = undefined;
    this.#forget();
  }

  /** The last result, without waiting. */
  get last(): Look | undefined {
    return this.#last;
  }

  /** Returns what the modules of the formats work with. It loads the core. */
  async desk(): Promise<Desk> {
    this.#core ??= this.#open();
    const { calls } = await this.#core;
    const profile = idForm() === 'v1-compact' ? 'v1-compact' : 'v1';
    return { calls, files: this.#files, memo: this.#files, l10n: vscode.l10n, now: Date.now, profile };
  }

  /** Returns the content of the workspace. After an error, `reason` has its text. */
  look(): Promise<Look> {
    this.#look ??= this.#start();
    return this.#look;
  }

  /** Returns what hovers find. The first call reads the agents' logs. */
  async tokens(): Promise<ReadonlyMap<string, Target>> {
    const found = await this.look();
    this.#tokens ??= this.desk().then((desk) => tokensOf(desk, found));
    return this.#tokens;
  }

  async #open(): Promise<RunningCore> {
    const core = await openCore(this.#extension, this.#log);
    this.#log.info(`the core runs in ${core.place === 'worker' ? 'a worker' : 'the extension host'}`);
    return core;
  }

  async #start(): Promise<Look> {
    const before = this.#searching;
    const searching = new vscode.CancellationTokenSource();
    this.#searching = searching;
    before.cancel();
    before.dispose();
    const began = performance.now();
    try {
      const found = await findFiles(searching.token, this.#log);
      const seen = await look(await this.desk(), found);
      if (searching !== this.#searching) return seen; // a newer reading is on its way
      this.#last = seen;
      this.state = 'shown';
      const threads = seen.groups.reduce((sum, group) => sum + group.threads.length, 0);
      const took = Math.round(performance.now() - began);
      this.#log.info(`${threads} threads and ${seen.tasks.tasks.length} tasks, in ${took} ms`);
      return seen;
    } catch (error) {
      this.state = 'failed';
      this.reason = reasonOf(error);
      this.#log.error(error instanceof Error ? error : String(error));
      throw error;
    }
  }

  #again(path: string): void {
    this.#files.drop(path);
    if (this.#look === undefined) return; // nobody asked yet
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#forget(), settle);
  }

  #forget(): void {
    this.#look = undefined;
    this.#tokens = undefined;
    this.#changed.fire();
  }
}

function ignore(): void {
  // Reported when it happened.
}
