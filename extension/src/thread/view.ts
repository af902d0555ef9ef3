// The thread view: a conversation in an editor tab. This side fetches, sends
// and marks read; the page (src/webview) only shows.

import { refKey } from '../refs';
import { describeError, isError } from '../server/failures';
import * as vscode from 'vscode';
import { setContext, showFailure } from '../views/notify';
import type { Server } from '../server/client';
import { concerns } from '../inbox/model';
import { type AttachmentItem, type Change, type Ref, type ThreadItem, type ThreadPage } from '../protocol';
import { imageAddress, type FromView, type ToView } from './messages';
import {
  firstPage,
  further,
  holds,
  messageOf,
  shows,
  withNewer,
  withNewest,
  withOlder,
  withRead,
  type ThreadState,
} from './model';
import { standsOut } from '../inbox/rowFacts';
import { ThreadReply } from './reply';
import { threadWords } from './words';
import { openLink } from '../views/openLink';
import { showPage } from '../views/page';

/** What a thread view asks of the rest of the extension. */
export interface ThreadHost {
  readonly server: Server;
  readonly log: vscode.LogOutputChannel;
  /** The extension's own folder. */
  readonly resources: vscode.Uri;
  /** Marks as read. Returns the revision that shows it, or 0 where nothing was marked. */
  setRead(refs: readonly Ref[]): Promise<number>;
  openAsText(ref: Ref, title: string): Promise<void>;
  openDiff(message: Ref, tool: number, threadTitle: string): Promise<void>;
  openThread(ref: Ref): void;
  /** What a thread is called as far as it is known without asking the server. */
  titleOf(ref: Ref): string;
  /** Opens a compose document that answers, or is about, what this names, with this text in it. */
  writeMail(ref: Ref, body?: string): Promise<void>;
  openFile(message: Ref, file: AttachmentItem): Promise<void>;
  saveFile(message: Ref, file: AttachmentItem): Promise<void>;
}

/** How a thread is shown: with the reply box ready to type in, or at one of its messages. */
export interface ShowOptions {
  readonly focusReply?: boolean;
  readonly message?: Ref;
  /** The list keeps the focus: the user goes on from thread to thread. */
  readonly preserveFocus?: boolean;
}

/** One thread in one editor tab. */
export class ThreadView implements vscode.Disposable {
  readonly #host: ThreadHost;
  readonly #panel: vscode.WebviewPanel;
  readonly #disposables: vscode.Disposable[] = [];
  #ref: Ref;
  #state: ThreadState | undefined;
  readonly #reply: ThreadReply;
  #typed = false;
  /** What stands in the reply box went on as a document; a page that is hidden does not know yet. */
  #handedOver = false;
  #ready = false;
  #focusReply = false;
  #keptUnread = false;
  /** The message to show, until the page says that it did. */
  #wanted: Ref | undefined;
  #turn = 0;
  /** The newest page and the mark that are under way. Neither fails. */
  #loading: Promise<void> | undefined;
  #marking: Promise<void> = Promise.resolve();
  #gone = false;

  constructor(host: ThreadHost, panel: vscode.WebviewPanel, ref: Ref, onDispose: () => void) {
    this.#host = host;
    this.#panel = panel;
    this.#ref = ref;
    this.#reply = new ThreadReply(host.server);
    const { server } = host;
    this.#disposables.push(
      panel.webview.onDidReceiveMessage((message: FromView) => {
        void this.#receive(message);
      }),
      panel.onDidChangeViewState(() => {
        this.#describe();
        if (!panel.visible) this.#keptUnread = false;
        if (panel.active) void this.#markRead();
      }),
      panel.onDidDispose(() => {
        this.#gone = true;
        for (const disposable of this.#disposables) disposable.dispose();
        onDispose();
      }),
      server.onDidChange((change) => {
        if (concerns(change, refKey(this.#ref))) void this.#follow(change);
      }),
      server.onDidChangeStatus(() => {
        // The first request starts the server, which tells its status before it answers.
        if (this.#loading === undefined) void this.#update();
      }),
    );
    showPage(panel.webview, host.resources, 'thread');
  }

  /** The thread shown. After the first page this is the thread's own ref, whatever was asked for. */
  get ref(): Ref {
    return this.#ref;
  }

  get active(): boolean {
    return this.#panel.active;
  }

  get title(): string {
    return this.#state?.thread.title ?? this.#panel.title;
  }

  /** Whether another thread may take this tab's place: nothing is typed in it. */
  get replaceable(): boolean {
    return !this.#typed;
  }

  /** Brings the tab to the front, with another thread in it if one is given. */
  show(ref: Ref, options: ShowOptions = {}): void {
    const shown = this.#panel.visible;
    this.#focusReply = options.focusReply ?? false;
    this.#wanted = options.message;
    this.#keptUnread = false;
    this.#panel.reveal(this.#panel.viewColumn, options.preserveFocus ?? false);
    if (refKey(ref) === refKey(this.#ref)) {
      void this.#markRead();
      // A page that is not there yet, or was hidden, loads anew and asks by itself.
      if (!shown || !this.#ready) return;
      if (this.#focusReply) void this.#sendTarget();
      this.#revealWanted();
      return;
    }
    this.#ref = ref;
    this.#state = undefined;
    this.#reply.reset();
    if (this.#ready) void this.#load();
  }

  /** The user marked it unread: that it is in view does not make it read again. */
  keepUnread(): void {
    this.#keptUnread = true;
  }

  dispose(): void {
    this.#panel.dispose();
  }

  async #receive(message: FromView): Promise<void> {
    switch (message.type) {
      case 'ready':
        this.#ready = true;
        this.#post({
          type: 'words',
          words: threadWords(vscode.l10n.t, process.platform === 'darwin'),
          locale: vscode.env.language,
        });
        await this.#begin();
        return;
      case 'retry':
        await this.#load();
        return;
      case 'older':
        await this.#further('before');
        return;
      case 'newer':
        await this.#further('after');
        return;
      case 'newest':
        await this.#load();
        return;
      case 'revealed':
        this.#wanted = undefined;
        return;
      case 'asText':
        await this.#host.openAsText(this.#ref, this.title);
        return;
      case 'typing':
        this.#typed = !message.empty;
        if (message.empty) this.#handedOver = false;
        return;
      case 'answer':
        this.#reply.answer(message.message);
        this.#focusReply = message.message !== undefined;
        await this.#sendTarget();
        return;
      case 'send':
        await this.#send(message.body);
        return;
      case 'copy':
        await vscode.env.clipboard.writeText(message.text);
        return;
      case 'open':
        await openLink(message.href);
        return;
      case 'image':
        await this.#sendImage(message.asset);
        return;
      case 'diff':
        await this.#tell('diff', this.#host.openDiff(message.message, message.tool, this.title));
        return;
      case 'thread':
        this.#host.openThread(message.ref);
        return;
      case 'unread':
        await vscode.commands.executeCommand(`signalbox.${message.back ? 'previousUnread' : 'nextUnread'}`);
        return;
      case 'mail':
        await this.#tell('mail', this.#host.writeMail(this.#ref));
        return;
      case 'asDocument':
        await this.#tell('mail', this.#handOver(message.body));
        return;
      case 'file':
        await this.#tell('attachment', this.#file(message.message, message.file, message.save));
        return;
    }
  }

  /** Fills a page that is new: at first with what a page before it, since hidden, held. */
  async #begin(): Promise<void> {
    if (this.#state === undefined || this.#wanted !== undefined) return this.#load();
    this.#showState(this.#state);
    await this.#sendTarget();
    await this.#update();
  }

  /** Fetches the newest page and shows it, then lets the reply box know whom it answers. */
  #load(): Promise<void> {
    const loading = this.#loadNow().finally(() => {
      if (this.#loading === loading) this.#loading = undefined;
    });
    this.#loading = loading;
    return loading;
  }

  /** Fetches the thread again after a change, unless it is shown already. */
  async #follow(change: Change): Promise<void> {
    await this.#loading;
    await this.#marking;
    if (this.#state === undefined || !shows(this.#state, change)) await this.#update();
  }

  async #loadNow(): Promise<void> {
    const turn = ++this.#turn;
    try {
      const page = await this.#page();
      if (turn !== this.#turn) return;
      this.#ref = page.thread.ref;
      await this.#reach(firstPage(page), turn);
      await this.#sendTarget();
      await this.#markRead();
    } catch (error) {
      this.#fail('thread', error);
    }
  }

  async #update(): Promise<void> {
    if (!this.#ready) return;
    const state = this.#state;
    if (state === undefined) return this.#load();
    const turn = ++this.#turn;
    try {
      const page = await this.#page();
      if (turn !== this.#turn) return;
      this.#showState(withNewest(state, page));
      if (this.#reply.nobody) await this.#sendTarget();
      if (this.#panel.active && vscode.window.state.focused) await this.#markRead();
    } catch (error) {
      this.#host.log.error(`thread: ${describeError(error)}`);
    }
  }

  /** The newest page: of a tree of replies as much as there may be, since what is new may stand anywhere in it. */
  async #page(): Promise<ThreadPage> {
    const ref = this.#ref;
    const limit = ref.protocol === 'amp' ? (this.#host.server.status?.limits.pageMax ?? 0) : 0;
    return this.#host.server.request('signalbox/thread/get', { ref, ...(limit > 0 ? { limit } : {}) });
  }

  /** Fetches the page next to what is held. */
  async #further(side: 'before' | 'after'): Promise<void> {
    const state = this.#state;
    const params = state === undefined ? undefined : further(state, side);
    if (state === undefined || params === undefined) return;
    const turn = ++this.#turn;
    try {
      const page = await this.#host.server.request('signalbox/thread/get', params);
      if (turn !== this.#turn) return;
      this.#showState(side === 'before' ? withOlder(state, page) : withNewer(state, page));
    } catch (error) {
      this.#fail(side === 'before' ? 'older messages' : 'newer messages', error);
    }
  }

  /** Shows the wanted message in a page that is up, which a hidden one does by itself when it comes back. */
  #revealWanted(): void {
    if (this.#wanted === undefined) return;
    if (this.#state === undefined || !holds(this.#state, this.#wanted)) void this.#load();
    else this.#post({ type: 'reveal', message: this.#wanted });
  }

  /** Shows a state, or where the wanted message is not in it, the part of the thread around that one. */
  async #reach(state: ThreadState, turn: number): Promise<void> {
    const wanted = this.#wanted;
    let reached = state;
    if (wanted !== undefined && !holds(state, wanted) && state.older) {
      try {
        const params = { ref: wanted, side: 'around' as const };
        const page = await this.#host.server.request('signalbox/thread/get', params);
        if (refKey(page.thread.ref) === refKey(this.#ref)) reached = firstPage(page);
      } catch (error) {
        // The thread is shown in any case, and says that the message is not in it.
        this.#host.log.warn(`message: ${describeError(error)}`);
      }
      if (turn !== this.#turn) return;
    }
    this.#showState(reached);
    if (wanted !== undefined) this.#post({ type: 'reveal', message: wanted });
  }

  #showState(state: ThreadState): void {
    this.#state = state;
    const { thread, messages, related, warnings, older, newer } = state;
    this.#panel.title = thread.title;
    this.#describe();
    this.#post({ type: 'thread', thread, messages, related, warnings, older, newer });
    if (this.#handedOver) this.#post({ type: 'handedOver' });
  }

  /** Lets the menus of the tab in front know what can be done with its thread. */
  #describe(): void {
    if (!this.#panel.active) return;
    const thread = this.#state?.thread;
    const kind = thread?.agent === undefined ? 'mail' : 'agent';
    void setContext('signalbox.activeThread', kind);
    void setContext('signalbox.activeArchive', this.#archiveState(thread));
  }

  /** Whether the thread can be put into the archive, or taken from it. */
  #archiveState(thread: ThreadItem | undefined): 'out' | 'in' | '' {
    if (thread === undefined || thread.marks.includes('suspicious')) return '';
    return thread.archived === true ? 'in' : 'out';
  }

  /** What was typed goes on as a compose document, which has more to set. */
  async #handOver(body: string): Promise<void> {
    await this.#host.writeMail(this.#reply.answered ?? this.#ref, body);
    this.#reply.reset();
    this.#typed = false;
    this.#handedOver = true;
    this.#post({ type: 'handedOver' });
    await this.#sendTarget();
  }

  /** The page says which file; what is to be asked before it is opened is known here. */
  async #file(message: Ref, id: string, save: boolean): Promise<void> {
    const item = this.#state === undefined ? undefined : messageOf(this.#state, message);
    const file = item?.amp?.attachments.find((attachment) => attachment.id === id);
    if (item === undefined || file === undefined) return;
    await (save ? this.#host.saveFile(item.ref, file) : this.#host.openFile(item.ref, file));
  }

  /** An image is shown only once the server has held its name, digest and first bytes against each other. */
  async #sendImage(asset: string): Promise<void> {
    try {
      const answer = await this.#host.server.request('signalbox/thread/asset', { ref: this.#ref, asset });
      const address = imageAddress(answer);
      const image =
        address === undefined ? { fault: vscode.l10n.t('this is no image that can be shown') } : { address };
      this.#post({ type: 'image', asset, image });
    } catch (error) {
      // The page says itself that it speaks of an image.
      const fault = describeError(error);
      this.#post({ type: 'image', asset, image: { fault } });
    }
  }

  /** Waits for something a button started, and says why when it fails. */
  async #tell(what: string, done: Promise<void>): Promise<void> {
    try {
      await done;
    } catch (error) {
      showFailure(this.#host.log, what, error);
    }
  }

  async #sendTarget(): Promise<void> {
    const focus = this.#focusReply;
    this.#focusReply = false;
    if (this.#state?.thread.agent !== undefined) {
      // Nobody answers an agent's own log; the page says so and offers mail.
      if (focus) this.#post({ type: 'focusFoot' });
      return;
    }
    this.#post({ type: 'target', target: await this.#reply.target(this.#ref), focus });
  }

  async #send(body: string): Promise<void> {
    try {
      await this.#reply.send(body);
    } catch (error) {
      this.#host.log.error(`send: ${describeError(error)}`);
      this.#post({ type: 'sendFailed', message: describeError(error) });
      return;
    }
    this.#typed = false;
    this.#post({ type: 'sent' });
    // What was sent is at the end, which may be far from what is held.
    await (this.#state?.newer === true ? this.#load() : this.#update());
    await this.#sendTarget();
  }

  async #markRead(): Promise<void> {
    if (this.#keptUnread || this.#state === undefined || !standsOut(this.#state.thread)) return;
    this.#marking = this.#mark(this.#ref);
    await this.#marking;
  }

  /** Marks the thread as read and shows that, so that the change need not be fetched. */
  async #mark(ref: Ref): Promise<void> {
    try {
      const marked = await this.#host.setRead([ref]);
      if (marked === 0 || this.#state === undefined || refKey(ref) !== refKey(this.#ref)) return;
      this.#showState(withRead(this.#state, marked));
    } catch (error) {
      // Reading needs no right to write: an unsaved mark is no reason to disturb.
      if (!isError(error, 'Untrusted')) this.#host.log.warn(`read mark: ${describeError(error)}`);
    }
  }

  #fail(what: string, error: unknown): void {
    this.#host.log.error(`${what}: ${describeError(error)}`);
    const title = this.#state === undefined ? this.#host.titleOf(this.#ref) : undefined;
    if (title !== undefined) this.#panel.title = title;
    this.#post({ type: 'failed', message: describeError(error), title });
  }

  #post(message: ToView): void {
    if (!this.#gone) void this.#panel.webview.postMessage(message);
  }
}
