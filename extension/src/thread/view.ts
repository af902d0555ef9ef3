// The thread view: a thread in an editor tab. This part fetches, sends and marks as read.
// The page (src/webview) only shows.

import { concerns, refKey } from '../refs';
import * as vscode from 'vscode';
import type { Change, Ref, ThreadPage } from '../protocol';
import { Assets } from './assets';
import { Box, type BoxPage } from './box';
import { describeActive } from './contextKeys';
import { ThreadFetch } from './fetch';
import type { ShowOptions, ThreadHost } from './host';
import type { FromView, ToView } from './messages';
import {
  further,
  holds,
  masked,
  messageOf,
  missingFrom,
  shows,
  unfinished,
  withRefetched,
  withNewer,
  withNewest,
  withOlder,
  type ThreadState,
} from './model';
import { ReadMarks } from './readMarks';
import { receiptMayChange } from './receipt';
import { runKey } from './keys';
import { aliasOf } from '../agent/resume';
import { threadWords, type ThreadWords } from './words';
import type { CardAct } from '../request/request';
import type { CommonMessage } from '../views/messages';
import { View } from '../views/view';

/**
 * The most pages to fetch after a change for tool calls far up that had not ended. The
 * calls of an interrupted agent never end, so the cost is limited.
 */
const pagesAfterChange = 2;

/** The most pages to fetch for the hidden keys of the held messages. */
const pagesOfSecrets = 20;

type Own = Exclude<FromView, CommonMessage>;

export class ThreadView extends View<ThreadWords, Own, ToView> {
  readonly #host: ThreadHost;
  #ref: Ref;
  #state: ThreadState | undefined;
  readonly #fetch: ThreadFetch;
  readonly #box: Box;
  readonly #marks: ReadMarks;
  readonly #assets: Assets;
  /** Whether it was opened to reply: the box gets the focus, not the wanted message. */
  #toReply = false;
  /** The message to show, until the page has shown it. */
  #wanted: Ref | undefined;
  #turn = 0;
  /** The fetch of the newest page while it is running. It does not fail. */
  #loading: Promise<void> | undefined;

  constructor(host: ThreadHost, panel: vscode.WebviewPanel, ref: Ref, onDispose: () => void) {
    super({ ...host, page: 'thread', words: threadWords }, panel, onDispose);
    this.#host = host;
    this.#ref = ref;
    this.#fetch = new ThreadFetch(host.server);
    this.#box = new Box(host, this.#boxPage());
    this.#marks = new ReadMarks(host, {
      ref: () => this.#ref,
      state: () => this.#state,
      looking: () => panel.active && vscode.window.state.focused,
      update: (state) => (this.#state = state),
    });
    this.#assets = new Assets(host, (message) => this.post(message));
    this.register(
      panel.onDidDispose(() => this.#host.typed(this.#ref, false)),
      panel.onDidChangeViewState(() => {
        this.#setContextKeys();
        if (!panel.visible) {
          this.#marks.keptUnread = false;
          this.#marks.forget();
        }
        this.#reportInFront();
        void this.#marks.mark();
      }),
      vscode.window.onDidChangeWindowState(() => void this.#marks.mark()),
      host.server.onDidChange((change) => {
        if (this.#concerned(change)) void this.#follow(change);
      }),
      host.server.onDidChangeStatus(() => {
        // The first request starts the server, which reports its status before it answers.
        if (this.#loading === undefined) void this.#update();
      }),
    );
  }

  /** The ref of the shown thread. After the first fetch it is the thread's own ref. */
  get ref(): Ref {
    return this.#ref;
  }

  get title(): string {
    return this.#state?.thread.title ?? this.panel.title;
  }

  /** Brings the tab to the front, with another thread in it if one is given. */
  show(ref: Ref, options: ShowOptions = {}): void {
    const shown = this.panel.visible;
    this.#box.wantsFocus = this.#toReply = options.focusReply ?? false;
    this.#wanted = options.message;
    this.#marks.keptUnread = false;
    const same = refKey(ref) === refKey(this.#ref);
    if (!same) this.#box.asking.reset();
    if (options.request !== undefined) void this.#box.asking.prefer(options.request);
    this.reveal(this.#box.wantsFocus, options.preserveFocus ?? false);
    if (same) {
      void this.#marks.mark();
      // A page that was hidden or has not started yet loads by itself.
      if (!shown || !this.ready) return;
      if (this.#box.wantsFocus) void this.#box.showTarget();
      this.#revealWanted();
      return;
    }
    this.#ref = ref;
    this.#state = undefined;
    this.#marks.forget();
    this.#fetch.secrets = false;
    this.#box.reset();
    if (this.ready) void this.load();
  }

  /** Leaves the thread unread while it is in view, after the user marked it as unread. */
  keepUnread(): void {
    this.#marks.keptUnread = true;
  }

  protected override async receive(message: Own): Promise<void> {
    switch (message.type) {
      case 'newer':
        return this.#further('after');
      case 'newest':
        return this.load();
      case 'revealed':
        this.#wanted = undefined;
        return;
      case 'answer':
        return this.#box.answer(message.message);
      case 'send':
        return this.#box.send(message.body, message.next);
      case 'undo':
        return this.#box.undo();
      case 'wasHeld':
        this.#box.restoreHeld(message.text);
        return;
      case 'decide':
        return this.#box.decide(message.answer, message.next);
      case 'choose':
        return this.#box.choose(message.message, message.option);
      case 'next':
        this.#box.next();
        return;
      case 'start':
        this.#host.start(this.#ref);
        return;
      case 'terminal':
        this.#box.showTerminal();
        return;
      case 'image':
        return this.#assets.image(this.#ref, message.asset);
      case 'colour':
        return this.#assets.colour(message);
      case 'theme':
        return this.#assets.paint(message.theme);
      case 'path':
        return this.tell('open', () => this.#host.openNamed(message.path, this.#state?.thread));
      case 'diff':
        return this.tell('open', () =>
          this.#host.openDiff(message.message, message.tool, this.title, this.#fetch.secrets),
        );
      case 'thread':
        this.#host.openThread(message.ref);
        return;
      case 'key':
        if (message.act === 'terminal' && this.#box.showTerminal()) return;
        return runKey(message.act);
      case 'reached':
        return this.#marks.reach(message.messages);
      case 'mail':
        return this.tell('open', () => this.#writeMail());
      case 'resume':
        return this.tell('open', () => this.#host.resume(this.#ref));
      case 'setUp':
        await vscode.commands.executeCommand('signalbox.setUp');
        return;
      case 'again':
        return this.tell('open', () => this.#sendAgain(message.message));
      case 'secrets':
        return this.#showSecrets();
      case 'asDocument':
        return this.tell('send', () => this.#box.handOver(message.body));
      case 'file':
        return this.tell(message.save ? 'save' : 'open', () =>
          this.#file(message.message, message.file, message.save),
        );
    }
  }

  protected override receiveCommon(message: CommonMessage): Promise<void> {
    if (message.type === 'typing') {
      if (message.empty) this.#box.handedOver = false;
      this.#host.typed(this.#ref, !message.empty);
    }
    return super.receiveCommon(message);
  }

  /** Fills a new page, first with the content of the earlier page that was hidden. */
  protected override async begin(): Promise<void> {
    if (this.#state === undefined || this.#wanted !== undefined) return this.load();
    this.#showState(this.#state);
    await this.#box.showTrace();
    this.#box.asking.resend();
    await this.#box.showTarget();
    await this.#update();
  }

  /** Fetches and shows the newest page, then the receiver of a reply. */
  protected override load(): Promise<void> {
    const loading = this.#loadNow().finally(() => {
      if (this.#loading === loading) this.#loading = undefined;
    });
    this.#loading = loading;
    return loading;
  }

  /** Reports whether a change concerns this thread. A change from an agent's hooks names no thread. */
  #concerned(change: Change): boolean {
    const session = this.#state?.thread.agent?.session;
    const dependsOnHooks = session !== undefined || this.#state?.messages.some(receiptMayChange) === true;
    return concerns(change, refKey(this.#ref)) || (dependsOnHooks && change.kinds.includes('agents'));
  }

  /** Fetches the thread again after a change, unless the state includes it. */
  async #follow(change: Change): Promise<void> {
    await this.#loading;
    await this.#marks.running;
    if (this.#state === undefined || !shows(this.#state, change)) await this.#update();
  }

  async #loadNow(): Promise<void> {
    const turn = ++this.#turn;
    try {
      const page = await this.#fetch.newest(this.#ref);
      if (turn !== this.#turn) return;
      this.#ref = page.thread.ref;
      await this.#showOpening(page, turn);
      this.#reportInFront();
      await this.#box.showTrace();
      await this.#box.showTarget();
      await this.#marks.mark();
    } catch (error) {
      this.#fail(error);
    }
  }

  async #update(): Promise<void> {
    try {
      await this.#fetchNewest();
    } catch (error) {
      this.logged('list', error);
    }
  }

  /** Fetches the newest page, and the other held messages that may have changed. */
  async #fetchNewest(): Promise<void> {
    if (!this.ready) return;
    const state = this.#state;
    if (state === undefined) return this.load();
    const turn = ++this.#turn;
    const page = await this.#fetch.newest(this.#ref);
    if (turn !== this.#turn) return;
    this.#showState(withNewest(state, page));
    await this.#box.showTrace();
    this.#box.offerAgain();
    await this.#refetch(unfinished, page, pagesAfterChange, turn);
    if (this.#fetch.secrets) await this.#refetch(masked, page, pagesOfSecrets, turn);
    if (this.#box.noReceiver || this.#state?.thread.agent !== undefined) await this.#box.showTarget();
    await this.#marks.mark();
  }

  /** Fetches the wanted messages that are not on a fetched page, with at most `most` pages. */
  async #refetch(
    wanted: (state: ThreadState) => readonly Ref[],
    fetched: ThreadPage,
    most: number,
    turn: number,
  ): Promise<void> {
    const state = this.#state;
    let left = state === undefined ? [] : missingFrom(fetched, wanted(state));
    for (let pages = 0; pages < most; pages++) {
      const [ref, ...others] = left;
      if (ref === undefined) return;
      const page = await this.#fetch.get({ ref, side: 'around' });
      if (turn !== this.#turn || this.#state === undefined) return;
      this.#showState(withRefetched(this.#state, page));
      left = missingFrom(page, others);
    }
  }

  /** Shows the held messages again with their keys and tokens. The reader's position stays. */
  async #showSecrets(): Promise<void> {
    this.#fetch.secrets = true;
    try {
      await this.#fetchNewest();
    } catch (error) {
      this.#fail(error);
    }
  }

  protected override older(): Promise<void> {
    return this.#further('before');
  }

  protected override openAsText(): Promise<void> {
    return this.#host.openAsText(this.#ref, this.title);
  }

  /** Fetches the next page in a direction. */
  async #further(side: 'before' | 'after'): Promise<void> {
    const state = this.#state;
    const params = state === undefined ? undefined : further(state, side);
    if (state === undefined || params === undefined) return;
    const turn = ++this.#turn;
    try {
      const page = await this.#fetch.get(params);
      if (turn !== this.#turn) return;
      this.#showState(side === 'before' ? withOlder(state, page) : withNewer(state, page));
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Scrolls a running page to the wanted message. A hidden page scrolls when it comes back. */
  #revealWanted(): void {
    if (this.#wanted === undefined) return;
    if (this.#state === undefined || !holds(this.#state, this.#wanted)) void this.load();
    else this.post({ type: 'reveal', message: this.#wanted, focus: !this.#toReply });
  }

  /** Shows the part of the thread around the wanted or the first unread message. */
  async #showOpening(newest: ThreadPage, turn: number): Promise<void> {
    const wanted = this.#wanted;
    const state = await this.#fetch.opening(newest, wanted);
    if (turn !== this.#turn) return;
    this.#showState(state);
    if (wanted !== undefined) this.post({ type: 'reveal', message: wanted, focus: !this.#toReply });
  }

  #showState(state: ThreadState): void {
    this.#state = state;
    const { thread, messages, related, warnings, older, newer } = state;
    this.panel.title = thread.title;
    this.#setContextKeys();
    const me = this.#host.server.status?.alias ?? '';
    this.post({ type: 'thread', me, thread, messages, related, warnings, older, newer });
    this.post({ type: 'start', start: this.#host.startOf(this.#ref, messages) });
    if (this.#box.handedOver) this.post({ type: 'handedOver' });
    void this.#box.asking.update(state.requests);
  }

  #reportInFront(): void {
    if (this.panel.active && this.#state !== undefined) this.#host.inFront(this.#state.thread);
  }

  /** Sets the context keys for the menus of the tab in front. */
  #setContextKeys(): void {
    if (!this.panel.active) return;
    describeActive(this.#state?.thread, this.#box.hasOptions);
  }

  #writeMail(): Promise<void> {
    const named = this.#state !== undefined && aliasOf(this.#state.thread) !== '';
    return named ? this.#host.writeToAgent(this.#ref) : this.#host.writeMail(this.#ref);
  }

  /** Opens a compose document with a message that was not delivered. */
  async #sendAgain(message: Ref): Promise<void> {
    const item = this.#state === undefined ? undefined : messageOf(this.#state, message);
    if (item?.receipt?.state === 'lost') await this.#host.sendAgain(item);
  }

  #boxPage(): BoxPage {
    return {
      ref: () => this.#ref,
      state: () => this.#state,
      attached: () => this.attached,
      post: (message) => this.post(message),
      logged: (tried, error) => this.logged(tried, error),
      takeFocus: () => {
        this.panel.reveal(this.panel.viewColumn, false);
        this.post({ type: 'focusFoot' });
        return this.takeAhead();
      },
      emptied: () => this.#emptied(),
      markAllRead: () => void this.#marks.reach((this.#state?.messages ?? []).map(({ ref }) => ref)),
      // The sent message is at the end, which may be far from the held messages.
      refresh: () => (this.#state?.newer === true ? this.load() : this.#update()),
    };
  }

  #emptied(): void {
    this.typed = false;
    this.#host.typed(this.#ref, false);
  }

  /** Opens or saves an attachment by its id. */
  async #file(message: Ref, id: string, save: boolean): Promise<void> {
    const item = this.#state === undefined ? undefined : messageOf(this.#state, message);
    const file = item?.amp?.attachments.find((attachment) => attachment.id === id);
    if (item === undefined || file === undefined) return;
    await (save ? this.#host.saveFile(item.ref, file) : this.#host.openFile(item.ref, file));
  }

  /** Runs an action of the More Actions menu in the page. */
  card(act: CardAct): void {
    this.post({ type: 'card', act });
  }

  /** Presses an option of the question in the page, counted from 1. */
  choose(number: number): void {
    this.post({ type: 'press', option: number - 1 });
  }

  #fail(error: unknown): void {
    const failure = this.logged('open', error);
    const title = this.#state === undefined ? this.#host.titleOf(this.#ref) : undefined;
    if (title !== undefined) this.panel.title = title;
    this.post({ type: 'failed', failure, title });
  }
}
