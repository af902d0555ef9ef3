// The thread view: a conversation in an editor tab. This side fetches, sends
// and marks read; the page (src/webview) only shows.

import * as vscode from 'vscode';
import { noticeText } from './alarms';
import type { Server } from './client';
import { attemptFor, type Attempt } from './draft';
import { concerns } from './inboxModel';
import { describeError, isError, refKey, type Draft, type Ref } from './protocol';
import { imageAddress, readFromView, type FromView, type ToView } from './threadMessages';
import { firstPage, holds, withNewest, withOlder, type ThreadState } from './threadModel';
import { threadWords } from './threadWords';
import { openLink } from './openLink';
import { showPage } from './webviewPage';

/** What a thread view asks of the rest of the extension. */
export interface ThreadHost {
  readonly server: Server;
  readonly log: vscode.LogOutputChannel;
  /** The extension's own folder. */
  readonly resources: vscode.Uri;
  setRead(refs: readonly Ref[]): Promise<void>;
  openAsText(ref: Ref, title: string): Promise<void>;
  openDiff(message: Ref, tool: number, threadTitle: string): Promise<void>;
  openThread(ref: Ref): void;
  /** What a thread is called as far as it is known without asking the server. */
  titleOf(ref: Ref): string;
  writeMail(ref: Ref): Promise<void>;
}

/** How a thread is shown: with the reply box ready to type in, or at one of its messages. */
export interface ShowOptions {
  readonly focusReply?: boolean;
  readonly message?: Ref;
}

/** So many older pages are fetched at most to come to a message that was asked for. */
const pagesToMessage = 10;

/** One thread in one editor tab. */
export class ThreadView implements vscode.Disposable {
  readonly #host: ThreadHost;
  readonly #panel: vscode.WebviewPanel;
  readonly #disposables: vscode.Disposable[] = [];
  #ref: Ref;
  #state: ThreadState | undefined;
  #answered: Ref | undefined;
  #draft: Draft | undefined;
  #attempt: Attempt | undefined;
  #typed = false;
  #ready = false;
  #focusReply = false;
  /** The message to show, until the page says that it did. */
  #wanted: Ref | undefined;
  #turn = 0;
  #gone = false;

  constructor(host: ThreadHost, panel: vscode.WebviewPanel, ref: Ref, onDispose: () => void) {
    this.#host = host;
    this.#panel = panel;
    this.#ref = ref;
    const { server } = host;
    this.#disposables.push(
      panel.webview.onDidReceiveMessage((message: unknown) => {
        const known = readFromView(message);
        if (known !== undefined) void this.#receive(known);
      }),
      panel.onDidChangeViewState(() => {
        this.#describe();
        if (panel.active) void this.#markRead();
      }),
      panel.onDidDispose(() => {
        this.#gone = true;
        for (const disposable of this.#disposables) disposable.dispose();
        onDispose();
      }),
      server.onDidChange((change) => {
        if (concerns(change, refKey(this.#ref))) void this.#update();
      }),
      server.onDidChangeStatus(() => void this.#update()),
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
    this.#panel.reveal(this.#panel.viewColumn, false);
    if (refKey(ref) === refKey(this.#ref)) {
      void this.#markRead();
      if (this.#focusReply) void this.#sendTarget();
      // A page that was hidden loads anew and asks by itself.
      if (shown) this.#revealWanted();
      return;
    }
    this.#ref = ref;
    this.#state = undefined;
    this.#answered = undefined;
    this.#attempt = undefined;
    if (this.#ready) void this.#load();
  }

  dispose(): void {
    this.#panel.dispose();
  }

  async #receive(message: FromView): Promise<void> {
    switch (message.type) {
      case 'ready':
        this.#ready = true;
        this.#post({ type: 'words', words: threadWords(), locale: vscode.env.language });
        await this.#begin();
        return;
      case 'retry':
        await this.#load();
        return;
      case 'older':
        await this.#older();
        return;
      case 'revealed':
        this.#wanted = undefined;
        return;
      case 'asText':
        await this.#host.openAsText(this.#ref, this.title);
        return;
      case 'typing':
        this.#typed = !message.empty;
        return;
      case 'answer':
        this.#answered = message.message;
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
      case 'mail':
        await this.#tell('mail', this.#host.writeMail(this.#ref));
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
  async #load(): Promise<void> {
    const turn = ++this.#turn;
    try {
      const page = await this.#host.server.request('signalbox/thread/get', { ref: this.#ref });
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
      const page = await this.#host.server.request('signalbox/thread/get', { ref: this.#ref });
      if (turn !== this.#turn) return;
      this.#showState(withNewest(state, page));
      if (this.#draft?.to === '') await this.#sendTarget();
      if (this.#panel.active && vscode.window.state.focused) await this.#markRead();
    } catch (error) {
      this.#host.log.error(`thread: ${describeError(error)}`);
    }
  }

  async #older(): Promise<void> {
    const state = this.#state;
    if (state?.before === undefined) return;
    const turn = ++this.#turn;
    try {
      const params = { ref: this.#ref, before: state.before };
      const page = await this.#host.server.request('signalbox/thread/get', params);
      if (turn === this.#turn) this.#showState(withOlder(state, page));
    } catch (error) {
      this.#fail('older messages', error);
    }
  }

  /** Shows the wanted message in a page that is up, which a hidden one does by itself when it comes back. */
  #revealWanted(): void {
    if (this.#wanted === undefined) return;
    if (this.#state === undefined || !holds(this.#state, this.#wanted)) void this.#load();
    else this.#post({ type: 'reveal', message: this.#wanted });
  }

  /** Shows a state, with as many older pages as it takes to come to the wanted message. */
  async #reach(state: ThreadState, turn: number): Promise<void> {
    const wanted = this.#wanted;
    const limit = this.#host.server.status?.limits.pageMax ?? 0;
    let reached = state;
    for (let pages = 0; wanted !== undefined && pages < pagesToMessage; pages++) {
      if (reached.before === undefined || holds(reached, wanted)) break;
      const params = { ref: this.#ref, before: reached.before, ...(limit > 0 ? { limit } : {}) };
      const page = await this.#host.server.request('signalbox/thread/get', params);
      if (turn !== this.#turn) return;
      reached = withOlder(reached, page);
    }
    this.#showState(reached);
    if (wanted !== undefined) this.#post({ type: 'reveal', message: wanted });
  }

  #showState(state: ThreadState): void {
    this.#state = state;
    const { thread, messages, related, warnings, before } = state;
    this.#panel.title = thread.title;
    this.#describe();
    this.#post({ type: 'thread', thread, messages, related, warnings, older: before !== undefined });
  }

  /** Lets the menus of the tab in front know what can be done with its thread. */
  #describe(): void {
    if (!this.#panel.active) return;
    const kind = this.#state?.thread.agent === undefined ? 'mail' : 'agent';
    void vscode.commands.executeCommand('setContext', 'signalbox.activeThread', kind);
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
      this.#host.log.error(`${what}: ${describeError(error)}`);
      void vscode.window.showErrorMessage(`Signalbox: ${noticeText(describeError(error))}`);
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
    try {
      const ref = this.#answered ?? this.#ref;
      const context = await this.#host.server.request('signalbox/compose/context', { ref });
      this.#draft = context.draft;
      const { from, canSend, reason } = context;
      const target = { from, to: context.draft?.to ?? '', canSend, reason, message: this.#answered };
      this.#post({ type: 'target', target, focus });
    } catch (error) {
      const reason = describeError(error);
      this.#post({
        type: 'target',
        target: { from: '', to: '', canSend: false, reason, message: undefined },
        focus,
      });
    }
  }

  async #send(body: string): Promise<void> {
    if (this.#draft === undefined) {
      this.#post({ type: 'sendFailed', message: vscode.l10n.t('There is nobody to reply to.') });
      return;
    }
    const draft: Draft = { ...this.#draft, body };
    this.#attempt = attemptFor(draft, this.#attempt);
    try {
      await this.#host.server.request('signalbox/message/send', { draft, clientToken: this.#attempt.token });
    } catch (error) {
      this.#host.log.error(`send: ${describeError(error)}`);
      this.#post({ type: 'sendFailed', message: describeError(error) });
      return;
    }
    this.#attempt = undefined;
    this.#answered = undefined;
    this.#typed = false;
    this.#post({ type: 'sent' });
    await this.#update();
    await this.#sendTarget();
  }

  async #markRead(): Promise<void> {
    if (this.#state === undefined || this.#state.thread.unread === 0) return;
    try {
      await this.#host.setRead([this.#ref]);
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
