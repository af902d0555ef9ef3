// The view of a task, and of one of its escalations, in an editor tab. This
// side fetches, previews, sends and opens; the page (src/webview) only shows.

import { refKey } from '../refs';
import { describeError } from '../server/failures';
import * as vscode from 'vscode';
import { showFailure } from '../views/notify';
import type { Server } from '../server/client';
import { type Ref } from '../protocol';
import { Answering } from './answering';
import { eventsWanted, fetchAlarmed, fetchOlder, fetchUntil, type Alarmed } from './fetch';
import type { FromTaskView, ToTaskView } from './messages';
import { answerable, eventOf, firstTaskPage, withNewestEvents, type TaskState } from './model';
import { shownTask, titleOf } from './shown';
import { taskWords } from './words';
import { openLink } from '../views/openLink';
import { showPage } from '../views/page';

/** What the view of a task asks of the rest of the extension. */
export interface TaskHost {
  readonly server: Server;
  readonly log: vscode.LogOutputChannel;
  /** The extension's own folder. */
  readonly resources: vscode.Uri;
  openAsText(ref: Ref, title: string): Promise<void>;
  openFile(path: string): Promise<void>;
  /** Opens another escalation, or the task. */
  open(ref: Ref): void;
  /** Asks, and writes an ACK if the answer is yes. */
  acknowledge(ref: Ref, label: string): Promise<void>;
}

/** How a task is shown: with its form ready to type in. */
export interface ShowTask {
  readonly focusAnswer?: boolean;
}

export class TaskView implements vscode.Disposable {
  readonly #host: TaskHost;
  readonly #panel: vscode.WebviewPanel;
  readonly #disposables: vscode.Disposable[] = [];
  readonly #answering: Answering;
  #ref: Ref;
  #state: TaskState | undefined;
  #alarmed: Alarmed = { escalation: undefined, all: [], overdue: [] };
  #typed = false;
  #ready = false;
  #focusAnswer = false;
  /** The step to show once it was fetched. */
  #wanted: Ref | undefined;
  #turn = 0;
  #gone = false;

  constructor(host: TaskHost, panel: vscode.WebviewPanel, ref: Ref, onDispose: () => void) {
    this.#host = host;
    this.#panel = panel;
    this.#ref = ref;
    this.#answering = new Answering({
      server: host.server,
      log: host.log,
      target: () => answerable(this.#alarmed.escalation, this.#alarmed.overdue),
      post: (message) => {
        this.#post(message);
      },
    });
    this.#disposables.push(
      panel.webview.onDidReceiveMessage((message: FromTaskView) => {
        void this.#receive(message);
      }),
      panel.onDidDispose(() => {
        this.#gone = true;
        this.#answering.dispose();
        for (const disposable of this.#disposables) disposable.dispose();
        onDispose();
      }),
      // A hidden page asks by itself when it comes back.
      host.server.onDidChange((change) => {
        if (change.kinds.includes('tasks') && panel.visible) void this.#load();
      }),
      host.server.onDidChangeStatus(() => {
        if (panel.visible) void this.#load();
      }),
    );
    showPage(panel.webview, host.resources, 'task');
  }

  /** What is shown: an escalation, a task, or one of its messages. */
  get ref(): Ref {
    return this.#ref;
  }

  get active(): boolean {
    return this.#panel.active;
  }

  get title(): string {
    return this.#panel.title;
  }

  /** The escalation that is shown and not answered yet. */
  get openEscalation(): Ref | undefined {
    const { escalation } = this.#alarmed;
    return escalation?.open === true ? escalation.ref : undefined;
  }

  /** Whether another task may take this tab's place: nothing is typed in it. */
  get replaceable(): boolean {
    return !this.#typed;
  }

  /** Brings the tab to the front, with another task in it if one is given. */
  show(ref: Ref, options: ShowTask = {}): void {
    this.#focusAnswer = options.focusAnswer ?? false;
    this.#panel.reveal(this.#panel.viewColumn, false);
    if (refKey(ref) !== refKey(this.#ref)) {
      this.#ref = ref;
      this.#state = undefined;
      this.#wanted = undefined;
    } else if (this.#state !== undefined && this.#showsMessage(this.#state)) {
      this.#wanted = ref;
    }
    if (this.#ready) void this.#load();
  }

  dispose(): void {
    this.#panel.dispose();
  }

  async #receive(message: FromTaskView): Promise<void> {
    switch (message.type) {
      case 'ready':
        this.#ready = true;
        this.#post({
          type: 'words',
          words: taskWords(vscode.l10n.t, process.platform === 'darwin'),
          locale: vscode.env.language,
        });
        await this.#load();
        return;
      case 'retry':
        await this.#load();
        return;
      case 'older':
        await this.#older();
        return;
      case 'mention':
        await this.#mention(message.ref);
        return;
      case 'typing':
        this.#typed = !message.empty;
        return;
      case 'preview':
        this.#answering.previewSoon(message.answer);
        return;
      case 'send':
        if (await this.#answering.send(message.answer)) {
          this.#typed = false;
          this.#post({ type: 'sent' });
          await this.#load();
        }
        return;
      case 'copy':
        await vscode.env.clipboard.writeText(message.text);
        return;
      case 'asText':
      case 'acknowledge':
      case 'open':
      case 'file':
      case 'rejectedFile':
      case 'escalation':
      case 'task':
        await this.#open(message);
    }
  }

  /** What leads elsewhere. What fails is said. */
  async #open(
    message: Extract<
      FromTaskView,
      { type: 'asText' | 'acknowledge' | 'open' | 'file' | 'rejectedFile' | 'escalation' | 'task' }
    >,
  ): Promise<void> {
    try {
      switch (message.type) {
        case 'asText':
          await this.#host.openAsText(this.#ref, this.#state?.task.id ?? this.title);
          return;
        case 'acknowledge': {
          const { escalation } = this.#alarmed;
          if (escalation === undefined) return;
          await this.#host.acknowledge(escalation.ref, escalation.label);
          await this.#load();
          return;
        }
        case 'open':
          await openLink(message.href);
          return;
        case 'file': {
          const path = this.#state === undefined ? undefined : eventOf(this.#state, message.ref)?.path;
          if (path !== undefined && path !== '') await this.#host.openFile(path);
          return;
        }
        case 'rejectedFile': {
          const path = this.#state?.rejected[message.index]?.path ?? '';
          if (path !== '') await this.#host.openFile(path);
          return;
        }
        case 'escalation': {
          // A malformed one has no page: its file says what it is.
          const wanted = refKey(message.ref);
          const path = this.#alarmed.all.find((item) => refKey(item.ref) === wanted)?.path ?? '';
          if (path === '') this.#host.open(message.ref);
          else await this.#host.openFile(path);
          return;
        }
        case 'task':
          if (this.#state !== undefined) this.#host.open(this.#state.task.ref);
      }
    } catch (error) {
      showFailure(this.#host.log, 'task', error);
    }
  }

  /** Fetches what is shown, also again, and shows it. */
  async #load(): Promise<void> {
    if (!this.#ready) return;
    const { server } = this.#host;
    const turn = ++this.#turn;
    const ref = this.#ref;
    try {
      const page = await server.request('signalbox/task/get', { ref, limit: eventsWanted(this.#state) });
      const alarmed = await fetchAlarmed(server, ref, page.task.ref);
      if (turn !== this.#turn) return;
      this.#alarmed = alarmed;
      const first = this.#state === undefined;
      this.#state = this.#state === undefined ? firstTaskPage(page) : withNewestEvents(this.#state, page);
      if (first && this.#showsMessage(this.#state)) this.#wanted = ref;
      this.#show();
      await this.#reveal();
    } catch (error) {
      if (turn === this.#turn) this.#fail('task', error);
    }
  }

  /** Whether the tab was opened for one message of a task, which is then looked for in the timeline. */
  #showsMessage({ task }: TaskState): boolean {
    return this.#alarmed.escalation === undefined && refKey(this.#ref) !== refKey(task.ref);
  }

  async #older(): Promise<void> {
    const state = this.#state;
    if (state === undefined) return;
    const turn = ++this.#turn;
    try {
      const older = await fetchOlder(this.#host.server, this.#ref, state);
      if (turn !== this.#turn) return;
      this.#state = older;
      this.#show();
    } catch (error) {
      this.#fail('older steps', error);
    }
  }

  async #mention(ref: Ref): Promise<void> {
    this.#wanted = ref;
    try {
      await this.#reveal();
    } catch (error) {
      this.#fail('message', error);
    }
  }

  /** Shows the wanted step, with as many older pages as it takes to come to it. */
  async #reveal(): Promise<void> {
    const wanted = this.#wanted;
    if (this.#focusAnswer) {
      this.#focusAnswer = false;
      this.#post({ type: 'focusAnswer' });
    }
    if (wanted === undefined || this.#state === undefined) return;
    this.#wanted = undefined;
    const holds = (state: TaskState): boolean => eventOf(state, wanted) !== undefined;
    if (!holds(this.#state)) {
      const turn = ++this.#turn;
      const state = await fetchUntil(this.#host.server, this.#ref, this.#state, holds);
      if (turn !== this.#turn) return;
      this.#state = state;
      this.#show();
    }
    this.#post(holds(this.#state) ? { type: 'reveal', event: wanted } : { type: 'notReached' });
  }

  #show(): void {
    if (this.#state === undefined) return;
    const shown = shownTask(this.#ref, this.#state, this.#alarmed, this.#host.server.status);
    this.#panel.title = titleOf(shown);
    this.#post(shown);
  }

  #fail(what: string, error: unknown): void {
    this.#host.log.error(`${what}: ${describeError(error)}`);
    // What stands there may be another task's.
    const empty = this.#state === undefined;
    if (empty) this.#panel.title = vscode.l10n.t('Task');
    this.#post({ type: 'failed', message: describeError(error), empty });
  }

  #post(message: ToTaskView): void {
    if (!this.#gone) void this.#panel.webview.postMessage(message);
  }
}
