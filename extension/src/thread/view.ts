// The thread view: a thread in an editor tab. This side fetches, sends and marks
// read; the page (src/webview) only shows.

import { concerns, refKey } from '../refs';
import { whyWords } from '../server/failureWords';
import { describeError, isError } from '../server/failures';
import * as vscode from 'vscode';
import type { Colouring } from '../code/colouring';
import type { ThemeColours } from '../code/theme';
import { setContext, showFailure } from '../views/notify';
import {
  Limit,
  type AnswerParams,
  type AttachmentItem,
  type Change,
  type MessageItem,
  type Ref,
  type ThreadItem,
  type ThreadPage,
  type ThreadParams,
} from '../protocol';
import { imageAddress, type FromView, type ReplyTarget, type StartOffer, type ToView } from './messages';
import {
  firstPage,
  further,
  holds,
  masked,
  messageOf,
  outside,
  shows,
  toMark,
  towardsUnread,
  unfinished,
  withAgain,
  withNewer,
  withNewest,
  withOlder,
  withRead,
  type ThreadState,
} from './model';
import { Asking, askingHost } from './asking';
import { mayChange } from './receipt';
import { Choosing, ThreadReply } from './reply';
import { Footer, type FooterHost } from './footer';
import { runKey } from './keys';
import { hasBox } from '../agent/reach';
import { aliasOf, canResume } from '../agent/resume';
import { threadWords, type ThreadWords } from './words';
import { isSimple, type CardAct } from '../request/request';
import type { CommonMessage } from '../views/messages';
import type { TypedAhead } from '../views/typedAhead';
import { View } from '../views/view';

/** What a thread view needs from the rest of the extension. */
export interface ThreadHost extends FooterHost {
  /** The extension's own folder. */
  readonly resources: vscode.Uri;
  readonly ahead: TypedAhead;
  /** The thread came to the front. */
  inFront(thread: ThreadItem): void;
  /** Marks as read. Returns the revision that shows it, or 0 where nothing was marked. */
  setRead(refs: readonly Ref[]): Promise<number>;
  openAsText(ref: Ref, title: string): Promise<void>;
  openDiff(message: Ref, tool: number, threadTitle: string, secrets: boolean): Promise<void>;
  readonly colouring: Colouring;
  /** Returns the colours that a theme, named by its id, gives to code. */
  themeColours(theme: string): Promise<ThemeColours>;
  /** Opens a file that a message of a thread names. */
  openNamed(name: string, thread: ThreadItem | undefined): Promise<void>;
  openThread(ref: Ref): void;
  /** Whether the reply box of a thread holds a text. */
  typed(thread: Ref, holds: boolean): void;
  /** Returns a thread's title as far as it is known without asking the server. */
  titleOf(ref: Ref): string;
  /** Opens a compose document that answers a message or thread, or is about an agent's thread. */
  writeMail(ref: Ref, body?: string): Promise<void>;
  openFile(message: Ref, file: AttachmentItem): Promise<void>;
  saveFile(message: Ref, file: AttachmentItem): Promise<void>;
  /** Opens a compose document to the agent of a session. */
  writeToAgent(session: Ref): Promise<void>;
  /** The agent that can be started in a thread, until it has answered. */
  startOf(thread: Ref, messages: readonly MessageItem[]): StartOffer | undefined;
  start(thread: Ref): void;
  /** Goes on with a session in a terminal. */
  resume(session: Ref): Promise<void>;
  /** The same with a text. Returns whether the program was given the text. */
  continueWith(session: Ref, text: string): Promise<boolean>;
  /** Types a line into the terminal of an agent that sits idle there. */
  nudge(alias: string): Promise<void>;
  /** Opens a compose document with a message that an agent's program did not deliver. */
  sendAgain(message: MessageItem): Promise<void>;
}

/**
 * So many further pages are fetched after a change for tool calls far up that had not
 * ended. Those of an interrupted agent never end, and must not cost more.
 */
const pagesAfterChange = 2;

/** So many further pages are fetched when a thread opens, to begin at its first unread message. */
const pagesToUnread = 5;

/** So many further pages are fetched for the hidden keys of the messages that are held. */
const pagesOfSecrets = 20;

/** How to open a thread: with the focus in the reply box, or at one of its messages. */
export interface ShowOptions {
  readonly focusReply?: boolean;
  readonly message?: Ref;
  /** Which of several requests of its session is shown. */
  readonly request?: string;
  /** Whether the list keeps the focus. */
  readonly preserveFocus?: boolean;
}

type Own = Exclude<FromView, CommonMessage>;

export class ThreadView extends View<ThreadWords, Own, ToView> {
  readonly #host: ThreadHost;
  #ref: Ref;
  #state: ThreadState | undefined;
  readonly #reply: ThreadReply;
  /** Whether the typed text went into a compose document. A hidden page does not know yet. */
  #handedOver = false;
  #focusReply = false;
  /** Whether it was opened to reply: the box has the focus, and not the wanted message. */
  #toReply = false;
  #keptUnread = false;
  /** The unread messages that the reader has come to, by their keys, until the tab is hidden. */
  readonly #reached = new Set<string>();
  /** Whether keys and tokens of a session are shown, until the tab is closed or shows another thread. */
  #secrets = false;
  /** The message to show, until the page has shown it. */
  #wanted: Ref | undefined;
  readonly #choosing: Choosing;
  readonly #asking: Asking;
  readonly #footer: Footer;
  /** To whom the box went when the page was told last. */
  #target: ReplyTarget | undefined;
  #targets = 0;
  /** Whether what needs the user next is offered. */
  #offersNext = false;
  #turn = 0;
  /** The newest page and the mark that are under way. Neither fails. */
  #loading: Promise<void> | undefined;
  #marking: Promise<void> = Promise.resolve();

  constructor(host: ThreadHost, panel: vscode.WebviewPanel, ref: Ref, onDispose: () => void) {
    super({ ...host, page: 'thread', words: threadWords }, panel, onDispose);
    this.#host = host;
    this.#ref = ref;
    this.#reply = new ThreadReply(host.server);
    this.#footer = new Footer(host);
    this.#choosing = new Choosing(host.server, (thread) => host.setRead([thread]));
    this.#asking = new Asking(
      askingHost(host.server, (asked) => this.post({ ...asked, name: this.#name })),
      vscode.l10n.t,
    );
    this.register(
      panel.onDidDispose(() => this.#host.typed(this.#ref, false)),
      panel.onDidChangeViewState(() => {
        this.#describe();
        if (!panel.visible) {
          this.#keptUnread = false;
          this.#reached.clear();
        }
        this.#tellInFront();
        void this.#markRead();
      }),
      vscode.window.onDidChangeWindowState(() => void this.#markRead()),
      host.server.onDidChange((change) => {
        if (this.#concerned(change)) void this.#follow(change);
      }),
      host.server.onDidChangeStatus(() => {
        // The first request starts the server, which tells its status before it answers.
        if (this.#loading === undefined) void this.#update();
      }),
    );
  }

  /** The thread that is shown. Once a page was fetched this is the thread's own ref. */
  get ref(): Ref {
    return this.#ref;
  }

  get title(): string {
    return this.#state?.thread.title ?? this.panel.title;
  }

  /** Brings the tab to the front, with another thread in it if one is given. */
  show(ref: Ref, options: ShowOptions = {}): void {
    const shown = this.panel.visible;
    this.#focusReply = this.#toReply = options.focusReply ?? false;
    this.#wanted = options.message;
    this.#keptUnread = false;
    const same = refKey(ref) === refKey(this.#ref);
    if (!same) this.#asking.reset();
    if (options.request !== undefined) void this.#asking.prefer(options.request);
    this.reveal(this.#focusReply, options.preserveFocus ?? false);
    if (same) {
      void this.#markRead();
      // A page that was hidden or is not up yet loads again by itself.
      if (!shown || !this.ready) return;
      if (this.#focusReply) void this.#sendTarget();
      this.#revealWanted();
      return;
    }
    this.#ref = ref;
    this.#state = undefined;
    this.#reached.clear();
    this.#secrets = false;
    this.#reply.reset();
    this.#offersNext = false;
    this.#target = undefined;
    if (this.ready) void this.load();
  }

  /** Keeps the thread unread although it is in view: the user marked it unread. */
  keepUnread(): void {
    this.#keptUnread = true;
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
        this.#reply.answer(message.message);
        this.#focusReply = message.message !== undefined;
        return this.#sendTarget();
      case 'send':
        return this.#send(message.body, message.next);
      case 'undo':
        return this.#undo();
      case 'wasHeld':
        return this.#comeBack(message.text);
      case 'decide':
        return this.#decide(message.answer, message.next);
      case 'choose':
        return this.#choose(message.message, message.option);
      case 'next':
        this.#host.next(this.#ref)?.open();
        return;
      case 'start':
        this.#host.start(this.#ref);
        return;
      case 'terminal':
        this.#footer.showTerminal();
        return;
      case 'image':
        return this.#sendImage(message.asset);
      case 'colour': {
        const runs = await this.#host.colouring.runs(message.code, message.language);
        if (runs !== undefined) this.post({ type: 'coloured', id: message.id, runs });
        return;
      }
      case 'theme':
        return this.#paint(message.theme);
      case 'path':
        return this.tell('open', () => this.#host.openNamed(message.path, this.#state?.thread));
      case 'diff':
        return this.tell('open', () =>
          this.#host.openDiff(message.message, message.tool, this.title, this.#secrets),
        );
      case 'thread':
        this.#host.openThread(message.ref);
        return;
      case 'key':
        if (message.act === 'terminal' && this.#footer.showTerminal()) return;
        return runKey(message.act);
      case 'reached':
        for (const ref of message.messages) this.#reached.add(refKey(ref));
        return this.#markRead();
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
        return this.tell('send', () => this.#handOver(message.body));
      case 'file':
        return this.tell(message.save ? 'save' : 'open', () =>
          this.#file(message.message, message.file, message.save),
        );
    }
  }

  protected override receiveCommon(message: CommonMessage): Promise<void> {
    if (message.type === 'typing') {
      if (message.empty) this.#handedOver = false;
      this.#host.typed(this.#ref, !message.empty);
    }
    return super.receiveCommon(message);
  }

  /** Fills a new page, first with what an earlier page that was hidden had shown. */
  protected override async begin(): Promise<void> {
    if (this.#state === undefined || this.#wanted !== undefined) return this.load();
    this.#showState(this.#state);
    await this.#showTrace();
    this.#asking.again();
    await this.#sendTarget();
    await this.#update();
  }

  /** Fetches and shows the newest page, then tells the reply box whom it answers. */
  protected override load(): Promise<void> {
    const loading = this.#loadNow().finally(() => {
      if (this.#loading === loading) this.#loading = undefined;
    });
    this.#loading = loading;
    return loading;
  }

  /** Whether a change is about this thread. What hooks tell of an agent names no thread. */
  #concerned(change: Change): boolean {
    const session = this.#state?.thread.agent?.session;
    const told = session !== undefined || this.#state?.messages.some(mayChange) === true;
    return concerns(change, refKey(this.#ref)) || (told && change.kinds.includes('agents'));
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
      this.#tellInFront();
      await this.#showTrace();
      await this.#sendTarget();
      await this.#markRead();
    } catch (error) {
      this.#fail(error);
    }
  }

  async #update(): Promise<void> {
    try {
      await this.#fetchNews();
    } catch (error) {
      this.logged('list', error);
    }
  }

  /** Fetches the newest page, and what is held besides and may have changed. */
  async #fetchNews(): Promise<void> {
    if (!this.ready) return;
    const state = this.#state;
    if (state === undefined) return this.load();
    const turn = ++this.#turn;
    const page = await this.#page();
    if (turn !== this.#turn) return;
    this.#showState(withNewest(state, page));
    await this.#showTrace();
    if (this.#offersNext) this.#offerNext();
    await this.#again(unfinished, page, pagesAfterChange, turn);
    if (this.#secrets) await this.#again(masked, page, pagesOfSecrets, turn);
    if (this.#reply.nobody || this.#state?.thread.agent !== undefined) await this.#sendTarget();
    await this.#markRead();
  }

  /** Fetches the held messages that are wanted and not on a page that was fetched, by a limited number of pages. */
  async #again(
    wanted: (state: ThreadState) => readonly Ref[],
    fetched: ThreadPage,
    most: number,
    turn: number,
  ): Promise<void> {
    const state = this.#state;
    let left = state === undefined ? [] : outside(fetched, wanted(state));
    for (let pages = 0; pages < most; pages++) {
      const [ref, ...others] = left;
      if (ref === undefined) return;
      const page = await this.#get({ ref, side: 'around' });
      if (turn !== this.#turn || this.#state === undefined) return;
      this.#showState(withAgain(this.#state, page));
      left = outside(page, others);
    }
  }

  /** Shows the held messages again with their keys and tokens. The reader stays where they are. */
  async #showSecrets(): Promise<void> {
    this.#secrets = true;
    try {
      await this.#fetchNews();
    } catch (error) {
      this.#fail(error);
    }
  }

  #get(params: ThreadParams): Promise<ThreadPage> {
    const secrets = this.#secrets ? { secrets: true } : {};
    return this.#host.server.request('signalbox/thread/get', { ...params, ...secrets });
  }

  /** Fetches the newest page. Of signed mail it is as long as possible: a new reply may be anywhere in the tree. */
  async #page(): Promise<ThreadPage> {
    const ref = this.#ref;
    return this.#get({ ref, ...(ref.protocol === 'amp' ? { limit: Limit.page } : {}) });
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
      const page = await this.#get(params);
      if (turn !== this.#turn) return;
      this.#showState(side === 'before' ? withOlder(state, page) : withNewer(state, page));
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Scrolls a page that is up to the wanted message. A hidden page does so when it comes back. */
  #revealWanted(): void {
    if (this.#wanted === undefined) return;
    if (this.#state === undefined || !holds(this.#state, this.#wanted)) void this.load();
    else this.post({ type: 'reveal', message: this.#wanted, focus: !this.#toReply });
  }

  /** Returns the state with older pages up to the first unread message, by a limited number of pages. */
  async #toUnread(state: ThreadState): Promise<ThreadState> {
    let reached = state;
    for (let pages = 0; pages < pagesToUnread; pages++) {
      const params = towardsUnread(reached);
      if (params === undefined) break;
      const page = await this.#get(params);
      if (page.messages.length === 0) break;
      reached = withOlder(reached, page);
    }
    return reached;
  }

  /** Shows a state, or the part of the thread around the wanted message if the state does not hold it. */
  async #reach(state: ThreadState, turn: number): Promise<void> {
    const wanted = this.#wanted;
    let reached = state;
    if (wanted === undefined) {
      reached = await this.#toUnread(state);
      if (turn !== this.#turn) return;
    }
    if (wanted !== undefined && !holds(state, wanted) && state.older) {
      try {
        const params = { ref: wanted, side: 'around' as const };
        const page = await this.#get(params);
        if (refKey(page.thread.ref) === refKey(this.#ref)) reached = firstPage(page);
      } catch (error) {
        // The thread is shown anyway, and the page says that the message is missing.
        this.#host.server.log.warn(`message: ${describeError(error)}`);
      }
      if (turn !== this.#turn) return;
    }
    this.#showState(reached);
    if (wanted !== undefined) this.post({ type: 'reveal', message: wanted, focus: !this.#toReply });
  }

  #showState(state: ThreadState): void {
    this.#state = state;
    const { thread, messages, related, warnings, older, newer } = state;
    this.panel.title = thread.title;
    this.#describe();
    const me = this.#host.server.status?.alias ?? '';
    this.post({ type: 'thread', me, thread, messages, related, warnings, older, newer });
    this.post({ type: 'start', start: this.#host.startOf(this.#ref, messages) });
    if (this.#handedOver) this.post({ type: 'handedOver' });
    void this.#asking.update(state.requests);
  }

  /** The name of the agent whose thread it is. */
  get #name(): string {
    const thread = this.#state?.thread;
    return thread === undefined ? '' : aliasOf(thread) || (thread.agent?.name ?? '');
  }

  #tellInFront(): void {
    if (this.panel.active && this.#state !== undefined) this.#host.inFront(this.#state.thread);
  }

  /** Sets the context keys for the menus of the tab in front. */
  #describe(): void {
    if (!this.panel.active) return;
    const thread = this.#state?.thread;
    const kind = thread?.agent === undefined ? 'mail' : 'agent';
    void setContext('signalbox.activeThread', kind);
    void setContext('signalbox.activeArchive', this.#archiveState(thread));
    void setContext('signalbox.activeAlias', thread !== undefined && aliasOf(thread) !== '');
    void setContext('signalbox.activeAnswers', this.#hasOptions);
    void setContext('signalbox.activeResume', thread !== undefined && canResume(thread));
  }

  /** Returns "out" if the thread can be archived, "in" if it is in the archive. */
  #archiveState(thread: ThreadItem | undefined): 'out' | 'in' | '' {
    if (thread === undefined || thread.marks.includes('suspicious')) return '';
    return thread.archived === true ? 'in' : 'out';
  }

  #writeMail(): Promise<void> {
    const named = this.#state !== undefined && aliasOf(this.#state.thread) !== '';
    return named ? this.#host.writeToAgent(this.#ref) : this.#host.writeMail(this.#ref);
  }

  /** Opens a compose document with what was not delivered. */
  async #sendAgain(message: Ref): Promise<void> {
    const item = this.#state === undefined ? undefined : messageOf(this.#state, message);
    if (item?.receipt?.state === 'lost') await this.#host.sendAgain(item);
  }

  #emptied(): void {
    this.typed = false;
    this.#host.typed(this.#ref, false);
  }

  /** Moves the typed text into a compose document, which has more fields. */
  async #handOver(body: string): Promise<void> {
    await this.#host.writeMail(this.#reply.answered ?? this.#ref, body);
    this.#reply.reset();
    this.#emptied();
    this.#handedOver = true;
    this.post({ type: 'handedOver' });
    await this.#sendTarget();
  }

  /** Opens or saves an attachment. The page names it by its id. */
  async #file(message: Ref, id: string, save: boolean): Promise<void> {
    const item = this.#state === undefined ? undefined : messageOf(this.#state, message);
    const file = item?.amp?.attachments.find((attachment) => attachment.id === id);
    if (item === undefined || file === undefined) return;
    await (save ? this.#host.saveFile(item.ref, file) : this.#host.openFile(item.ref, file));
  }

  /** Sends an image to the page. The server has checked its name, digest and first bytes. */
  async #sendImage(asset: string): Promise<void> {
    try {
      const answer = await this.#host.server.request('signalbox/thread/asset', { ref: this.#ref, asset });
      const address = imageAddress(answer);
      const image =
        address === undefined ? { fault: vscode.l10n.t('it is not a supported image') } : { address };
      this.post({ type: 'image', asset, image });
    } catch (error) {
      // The page adds that this is about an image.
      const fault = whyWords(error, vscode.l10n.t);
      this.post({ type: 'image', asset, image: { fault } });
    }
  }

  /** Sends the colours of a theme. A theme that cannot be read leaves the page its own. */
  async #paint(theme: string): Promise<void> {
    try {
      this.post({ type: 'painted', theme, colours: await this.#host.themeColours(theme) });
    } catch (error) {
      this.#host.server.log.debug(`theme: ${describeError(error)}`);
    }
  }

  async #sendTarget(): Promise<void> {
    const focus = this.#focusReply;
    this.#focusReply = false;
    const thread = this.#state?.thread;
    if (thread?.agent !== undefined && !hasBox(thread) && !this.#asking.open) {
      // Nothing reaches the agent; the page says so and offers mail.
      if (!focus) return;
      this.panel.reveal(this.panel.viewColumn, false);
      this.post({ type: 'focusFoot' });
      const typed = await this.takeAhead();
      if (typed !== '') await this.#host.writeMail(this.#ref, typed);
      return;
    }
    const turn = ++this.#targets;
    const target = await this.#reply.target(this.#ref);
    // The focus is not to wait for what else is known of the agent.
    if (focus || this.#target === undefined) this.post({ type: 'target', target, focus });
    const facts = await this.#footer.facts(thread, target);
    if (turn !== this.#targets) return;
    this.#target = target;
    this.post({ type: 'target', target: { ...target, facts, name: this.#name }, focus: false });
  }

  /** Does in the page what a line of More Actions is for. */
  card(act: CardAct): void {
    this.post({ type: 'card', act });
  }

  /** Presses in the page the option of what is asked there, counted from 1. */
  choose(number: number): void {
    this.post({ type: 'press', option: number - 1 });
  }

  /** Whether something is asked that has options. */
  get #hasOptions(): boolean {
    const { messages = [], requests = [] } = this.#state ?? {};
    return requests.some(isSimple) || messages.some(({ options = [] }) => options.length > 0);
  }

  /** Answers a question with an option. What is typed in the reply box stays there. */
  async #choose(message: Ref, option: string): Promise<void> {
    const item = this.#state === undefined ? undefined : messageOf(this.#state, message);
    if (item?.options?.includes(option) !== true) return;
    const thread = this.#ref;
    await this.#hold(option, message, () => this.#choosing.send(thread, message, option));
  }

  /** Gives the user's answer to what the session waits for. */
  async #decide(answer: AnswerParams, next: boolean): Promise<void> {
    try {
      await this.#asking.decide(answer);
    } catch (error) {
      this.post({ type: 'decideFailed', failure: this.logged('answer', error) });
      return;
    }
    this.#goOn(next);
  }

  /** Sends a text to whom the box is for, in the way that its button says. */
  async #send(body: string, next: boolean): Promise<void> {
    const { reach, to } = this.#reply;
    const thread = this.#ref;
    const target = this.#target;
    try {
      if (reach === 'continue' && (await this.#host.continueWith(thread, body))) {
        this.#delivered(next);
        return;
      }
      const sending = this.#reply.sending(body);
      this.#delivered(next);
      await this.#hold(body, undefined, async () => {
        const sent = await sending();
        if (target !== undefined) this.#footer.sent(thread, sent, target);
        if (reach === 'type' && sent.reach === 'type') await this.#host.nudge(to);
      });
    } catch (error) {
      this.post({ type: 'sendFailed', failure: this.logged('send', error) });
    }
  }

  /** Empties the box, and takes what the reader answers as read. */
  #delivered(next: boolean): void {
    this.#emptied();
    this.post({ type: 'sent' });
    for (const { ref } of this.#state?.messages ?? []) this.#reached.add(refKey(ref));
    void this.#markRead();
    if (next || this.#state?.thread.needsReply === true) this.#goOn(next);
  }

  /** Sends something once it could be taken back for some seconds. */
  async #hold(text: string, message: Ref | undefined, send: () => Promise<void>): Promise<void> {
    const key = refKey(this.#ref);
    this.#host.outbox.hold(key, text, message, () => this.#release(key, text, message, send));
    await this.#showTrace();
    if (message !== undefined) this.#goOn(false);
  }

  async #release(
    key: string,
    text: string,
    message: Ref | undefined,
    send: () => Promise<void>,
  ): Promise<void> {
    const here = (): boolean => refKey(this.#ref) === key && this.attached;
    try {
      await send();
    } catch (error) {
      if (!here()) {
        // Whoever sent it is elsewhere by now.
        showFailure(this.#host.server.log, 'send', error, () => this.#release(key, text, message, send));
        return;
      }
      await this.#showTrace();
      const failure = this.logged('send', error);
      if (message === undefined) this.post({ type: 'back', text });
      this.post({ type: message === undefined ? 'sendFailed' : 'decideFailed', failure });
      return;
    }
    if (!here()) return;
    // The sent message is at the end, which may be far from what is held.
    await (this.#state?.newer === true ? this.load() : this.#update());
    await this.#sendTarget();
  }

  /** Takes back what is held: a text is in the box again, a question is asked again. */
  async #undo(): Promise<void> {
    const held = this.#host.outbox.undo(refKey(this.#ref));
    await this.#showTrace();
    if (held !== undefined && held.message === undefined) this.post({ type: 'back', text: held.text });
  }

  /** Puts a text back that an earlier window may not have sent, unless it is in the thread. */
  async #comeBack(text: string): Promise<void> {
    const same = (one: MessageItem): boolean => one.mine && one.text.trim() === text.trim();
    const known = this.#host.outbox.used(refKey(this.#ref)) || this.#state?.messages.some(same) === true;
    if (!known) this.post({ type: 'back', text });
    return Promise.resolve();
  }

  async #showTrace(): Promise<void> {
    const ref = this.#ref;
    const trace = await this.#footer.trace(ref, this.#state?.messages ?? []);
    if (ref === this.#ref) this.post({ type: 'trace', trace });
  }

  /** Offers what needs the user next, or goes there. */
  #goOn(now: boolean): void {
    if (now) this.#host.next(this.#ref)?.open();
    else this.#offerNext();
  }

  #offerNext(): void {
    this.#offersNext = true;
    const { title, who } = this.#host.next(this.#ref) ?? {};
    const next = title === undefined || who === undefined ? undefined : { title, who };
    this.post({ type: 'next', next });
  }

  /** Marks what the reader has come to as read, while they look at this window. */
  #markRead(): Promise<void> {
    this.#marking = this.#marking.then(() => this.#mark());
    return this.#marking;
  }

  /** Marks and keeps that, so that the change need not be fetched. */
  async #mark(): Promise<void> {
    const looking = this.panel.active && vscode.window.state.focused;
    const state = this.#state;
    if (!looking || this.#keptUnread || state === undefined) return;
    const refs = toMark(state, this.#reached);
    if (refs.length === 0) return;
    const key = refKey(this.#ref);
    try {
      const marked = await this.#host.setRead(refs);
      if (marked === 0 || this.#state === undefined || refKey(this.#ref) !== key) return;
      this.#state = withRead(this.#state, refs, marked);
    } catch (error) {
      // An untrusted workspace may be read; that the mark is not saved is no news.
      if (!isError(error, 'Untrusted')) this.#host.server.log.warn(`read mark: ${describeError(error)}`);
    }
  }

  #fail(error: unknown): void {
    const failure = this.logged('open', error);
    const title = this.#state === undefined ? this.#host.titleOf(this.#ref) : undefined;
    if (title !== undefined) this.panel.title = title;
    this.post({ type: 'failed', failure, title });
  }
}
