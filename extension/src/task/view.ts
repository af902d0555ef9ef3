// The view of a task or of one of its escalations, in an editor tab. This side
// fetches, previews, sends and opens; the page (src/webview) only shows.

import { refKey } from '../refs';
import * as vscode from 'vscode';
import type { Server } from '../server/client';
import { type Ref } from '../protocol';
import { Answering } from './answering';
import { eventsWanted, fetchEscalations, fetchOlder, fetchUntil, type TaskEscalations } from './fetch';
import type { FromTaskView, ToTaskView } from './messages';
import { answerable, eventOf, firstTaskPage, withNewestEvents, type Answer, type TaskState } from './model';
import { shownTask, titleOf } from './shown';
import { taskWords, type TaskWords } from './words';
import type { CommonMessage } from '../views/messages';
import { runKey } from '../thread/keys';
import { setContext } from '../views/notify';
import type { TypedAhead } from '../views/typedAhead';
import { View } from '../views/view';

/** What a task view needs from the rest of the extension. */
export interface TaskHost {
  readonly server: Server;
  /** The extension's own folder. */
  readonly resources: vscode.Uri;
  readonly ahead: TypedAhead;
  openAsText(ref: Ref, title: string): Promise<void>;
  openFile(path: string): Promise<void>;
  /** Opens another escalation, or the task. */
  open(ref: Ref): void;
  /** Asks for confirmation and writes an ACK. */
  acknowledge(ref: Ref, label: string): Promise<void>;
}

/** How to open a task: with the focus in the form that answers it. */
export interface ShowTask {
  readonly focusAnswer?: boolean;
}

type Own = Exclude<FromTaskView, CommonMessage>;

export class TaskView extends View<TaskWords, Own, ToTaskView> {
  readonly #host: TaskHost;
  readonly #answering: Answering;
  #ref: Ref;
  #state: TaskState | undefined;
  #escalations: TaskEscalations = { escalation: undefined, all: [], overdue: [] };
  #focusAnswer = false;
  /** The step to show once it is fetched. */
  #wanted: Ref | undefined;
  #turn = 0;

  constructor(host: TaskHost, panel: vscode.WebviewPanel, ref: Ref, onDispose: () => void) {
    super({ ...host, page: 'task', words: taskWords }, panel, onDispose);
    this.#host = host;
    this.#ref = ref;
    this.#answering = new Answering({
      server: host.server,
      target: () => answerable(this.#escalations.escalation, this.#escalations.overdue),
      post: (message) => this.post(message),
    });
    this.register(
      this.#answering,
      panel.onDidChangeViewState(() => this.#updateKeys()),
      // A hidden page loads again when it comes back.
      host.server.onDidChange((change) => {
        if (change.kinds.includes('tasks') && panel.visible) void this.load();
      }),
      host.server.onDidChangeStatus(() => {
        if (panel.visible) void this.load();
      }),
    );
  }

  /** The escalation, task or message that is shown. */
  get ref(): Ref {
    return this.#ref;
  }

  get title(): string {
    return this.panel.title;
  }

  /** The shown escalation, if it is open. */
  get openEscalation(): Ref | undefined {
    const { escalation } = this.#escalations;
    return escalation?.open === true && escalation.malformed !== true ? escalation.ref : undefined;
  }

  /** Fills the answer in with one of the suggestions, counted from 1. Nothing is sent. */
  choose(number: number): void {
    this.post({ type: 'suggest', index: number - 1 });
  }

  /** Sets the context of the keys that choose a suggestion, if this tab is in front. */
  #updateKeys(): void {
    if (!this.panel.active) return;
    const suggests =
      this.openEscalation !== undefined && this.#escalations.escalation?.suggested.length !== 0;
    void setContext('signalbox.activeAnswers', suggests);
  }

  /** Brings the tab to the front, with another task in it if one is given. */
  show(ref: Ref, options: ShowTask = {}): void {
    this.#focusAnswer = options.focusAnswer ?? false;
    this.reveal(this.#focusAnswer, false);
    if (refKey(ref) !== refKey(this.#ref)) {
      this.#ref = ref;
      this.#state = undefined;
      this.#wanted = undefined;
    } else if (this.#state !== undefined && this.#showsMessage(this.#state)) {
      this.#wanted = ref;
    }
    if (this.ready) void this.load();
  }

  protected override async receive(message: Own): Promise<void> {
    switch (message.type) {
      case 'mention':
        return this.#mention(message.ref);
      case 'preview':
        this.#answering.previewSoon(message.answer);
        return;
      case 'send':
        return this.#send(message.answer);
      case 'key':
        return runKey(message.act);
      case 'acknowledge':
        return this.tell('acknowledge', () => this.#acknowledge());
      case 'file': {
        const path = this.#state === undefined ? undefined : eventOf(this.#state, message.ref)?.path;
        return this.tell('open', () => this.#openFile(path));
      }
      case 'rejectedFile':
        return this.tell('open', () => this.#openFile(this.#state?.rejected[message.index]?.path));
      case 'malformedFile':
        return this.tell('open', () => this.#openFile(this.#escalations.escalation?.path));
      case 'escalation':
        this.#host.open(message.ref);
        return;
      case 'task':
        if (this.#state !== undefined) this.#host.open(this.#state.task.ref);
    }
  }

  protected override begin(): Promise<void> {
    return this.load();
  }

  protected override openAsText(): Promise<void> {
    return this.#host.openAsText(this.#ref, this.#state?.task.id ?? this.title);
  }

  async #send(answer: Answer): Promise<void> {
    if (!(await this.#answering.send(answer))) return;
    this.typed = false;
    this.post({ type: 'sent' });
    await this.load();
  }

  async #acknowledge(): Promise<void> {
    const { escalation } = this.#escalations;
    if (escalation === undefined) return;
    await this.#host.acknowledge(escalation.ref, escalation.label);
    await this.load();
  }

  async #openFile(path = ''): Promise<void> {
    if (path !== '') await this.#host.openFile(path);
  }

  protected override async load(): Promise<void> {
    if (!this.ready) return;
    const { server } = this.#host;
    const turn = ++this.#turn;
    const ref = this.#ref;
    try {
      const page = await server.request('signalbox/task/get', { ref, limit: eventsWanted(this.#state) });
      const escalations = await fetchEscalations(server, ref, page.task.ref);
      if (turn !== this.#turn) return;
      this.#escalations = escalations;
      const first = this.#state === undefined;
      this.#state = this.#state === undefined ? firstTaskPage(page) : withNewestEvents(this.#state, page);
      if (first && this.#showsMessage(this.#state)) this.#wanted = ref;
      this.#show();
      await this.#reveal();
    } catch (error) {
      if (turn === this.#turn) this.#fail(error);
    }
  }

  /** Reports whether the tab was opened for one message of a task. */
  #showsMessage({ task }: TaskState): boolean {
    return this.#escalations.escalation === undefined && refKey(this.#ref) !== refKey(task.ref);
  }

  protected override async older(): Promise<void> {
    const state = this.#state;
    if (state === undefined) return;
    const turn = ++this.#turn;
    try {
      const older = await fetchOlder(this.#host.server, this.#ref, state);
      if (turn !== this.#turn) return;
      this.#state = older;
      this.#show();
    } catch (error) {
      this.#fail(error);
    }
  }

  async #mention(ref: Ref): Promise<void> {
    this.#wanted = ref;
    try {
      await this.#reveal();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Shows the wanted step, fetching older pages until it is found. */
  async #reveal(): Promise<void> {
    const wanted = this.#wanted;
    if (this.#focusAnswer) {
      this.#focusAnswer = false;
      this.post({ type: 'focusAnswer' });
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
    this.post(holds(this.#state) ? { type: 'reveal', event: wanted } : { type: 'notReached' });
  }

  #show(): void {
    if (this.#state === undefined) return;
    const shown = shownTask(this.#ref, this.#state, this.#escalations, this.#host.server.status);
    this.panel.title = titleOf(shown);
    this.#updateKeys();
    this.post(shown);
  }

  #fail(error: unknown): void {
    const failure = this.logged('open', error);
    // The page may still show another task.
    const empty = this.#state === undefined;
    if (empty) this.panel.title = vscode.l10n.t('Task');
    this.post({ type: 'failed', failure, empty });
  }
}
