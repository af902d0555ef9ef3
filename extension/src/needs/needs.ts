// "Needs You": questions, mail that needs a reply, agents that wait, escalations and overdue
// tasks. The list is fetched with every change, also for the status bar and the notifications.
// A page in the side bar shows it (src/webview/needs/needs.ts).

import * as vscode from 'vscode';
import { readOnlyNote } from '../places';
import { howEnded, outcomesHost } from './answering';
import { showProgressWhenSlow } from '../views/progress';
import type { AgentItem, NeedItem } from '../protocol';
import type { Server } from '../server/client';
import { failureOf } from '../server/failureWords';
import { describeError } from '../server/failures';
import { Refresher } from '../server/refresher';
import type { Choosing } from '../thread/reply';
import type { Unfinished } from '../thread/unfinished';
import { setContext } from '../views/notify';
import { SideView } from '../views/sideView';
import type { TypedAhead } from '../views/typedAhead';
import { hourMinute } from '../when';
import { doingWords } from '../agent/agentWords';
import { Away } from './away';
import { canAsk, keyOf, NeedsModel, threadOf } from './model';
import type { FromNeeds, NeedsState, ToNeeds } from './needsMessages';
import { needsWords, outcomeTable, type NeedsWords } from './needsWords';
import { Outcomes, type Ending } from './outcomes';
import type { NeedAct } from './row';
import { needRows } from './rows';
import { rowWords } from './rowWords';
import type { Terminals } from '../agent/terminals';
import type { CommonMessage } from '../views/messages';

const needsViewId = 'signalbox.needsView';

type Own = Exclude<FromNeeds, CommonMessage>;

/** What the view needs of the other parts. */
export interface NeedsParts {
  readonly server: Server;
  readonly resources: vscode.Uri;
  readonly ahead: TypedAhead;
  readonly terminals: Terminals;
  readonly unfinished: Unfinished;
  readonly choosing: Choosing;
  /** Carries out the act of a row's button. */
  act(item: NeedItem, act: NeedAct): Promise<void>;
  /** Shows one of an escalation's suggestions, then answers the escalation with it. */
  suggest(item: NeedItem, index: number): Promise<void>;
  /** Reports whether an item's thread is open in a tab of this window. */
  isOpen(item: NeedItem): boolean;
}

export class Needs extends SideView<NeedsWords, Own, ToNeeds> {
  readonly #parts: NeedsParts;
  readonly #model: NeedsModel;
  readonly #rowsEmitter = new vscode.EventEmitter<undefined>();
  readonly #fetches: Refresher;
  readonly #away: Away;
  readonly #outcomes: Outcomes;
  readonly #words = rowWords(vscode.l10n.t);
  #agents: readonly AgentItem[] = [];
  #total = 0;
  #shown = '';
  /** When the list was last fetched. */
  #fetchedAt = 0;
  /** The items of the previous fetch, to find out which ones ended. */
  #before = new Map<string, NeedItem>();

  /** Fires when the items that need the user, or their number, may have changed. */
  readonly onDidChangeRows = this.#rowsEmitter.event;

  constructor(parts: NeedsParts) {
    const { ahead, resources, server, terminals } = parts;
    super({
      ...{ server, resources, ahead, page: 'needs', words: needsWords },
      ...{ id: needsViewId, focusKey: 'signalbox.needsFocused' },
    });
    this.#parts = parts;
    const model = new NeedsModel((params) => server.request('signalbox/needs/list', params));
    this.#model = model;
    this.#outcomes = new Outcomes(
      outcomesHost(server, parts.choosing, outcomeTable(vscode.l10n.t), () => this.#show()),
    );
    this.#away = new Away(vscode.l10n.t, {
      agents: () => server.request('signalbox/agents/list', { all: true }),
      needs: async () => {
        await this.refresh();
        return model.items;
      },
    });
    this.#fetches = new Refresher({
      get revision() {
        return model.revision;
      },
      reload: async () => {
        await this.#reload();
      },
    });
    this.register(
      this.#rowsEmitter,
      terminals.onDidChange(() => this.#show()),
      server.onDidChangeState(() => this.#stateChanged()),
      server.onDidChangeStatus((status) => {
        this.#count(status.needs);
        void this.refresh();
      }),
      server.onDidChange((change) => {
        this.#count(change.needs);
        void this.#fetches.revision(change.revision);
      }),
      vscode.window.onDidChangeWindowState((state) => void this.#windowChanged(state)),
    );
  }

  /** How many items need the user. */
  get total(): number {
    return this.#total;
  }

  /** The items that need the user, in the server's order. */
  get items(): readonly NeedItem[] {
    return this.#model.items;
  }

  /** These items and the ones that are merely unanswered. */
  get listed(): readonly NeedItem[] {
    return this.#model.all;
  }

  /** Returns the item of the row with this key, which may have just left the list. */
  itemOf(key: string): NeedItem | undefined {
    return this.#model.itemOf(key) ?? this.#before.get(key);
  }

  /** Shows the rows again, since one of them changed. */
  redraw(): void {
    this.#show();
  }

  /** Fetches everything again. Failures go to the log. */
  async refresh(): Promise<void> {
    this.#model.forgetRevision();
    await this.#fetches.now();
  }

  /** Sends at once the answers that are held back, since the window closes. */
  async flush(): Promise<void> {
    await this.#outcomes.flush();
  }

  /** Carries out an act of the rows' menu. */
  async run(key: string, act: NeedAct | 'always' | 'refuse'): Promise<void> {
    if (act === 'always' || act === 'refuse') this.post({ type: 'do', key, act });
    else await this.#act(key, act);
  }

  override resolveWebviewView(view: vscode.WebviewView): void {
    super.resolveWebviewView(view);
    this.#describe();
    void this.kind.server.ensure().catch(() => undefined);
  }

  protected override async begin(): Promise<void> {
    this.#shown = '';
    this.#show();
    await this.load();
  }

  protected override async load(): Promise<void> {
    if (this.kind.server.state === 'running') await this.#fetches.now();
  }

  protected override async receive(message: Own): Promise<void> {
    switch (message.type) {
      case 'act':
        return this.tell('other', () => this.#act(message.key, message.act));
      case 'option':
        return this.tell('choose', () => this.#choose(message.key, message.index));
      case 'decide': {
        const request = this.itemOf(message.key)?.request;
        if (request !== undefined) await this.#outcomes.decide(message.key, request, message.decision);
        return;
      }
      case 'undo':
        if (!this.#outcomes.undo(message.key === '' ? this.#outcomes.lastHeld : message.key))
          await vscode.commands.executeCommand('signalbox.undo');
        return;
      case 'whole':
        return this.#whole(message.key);
      case 'left':
        this.#outcomes.forget((key) => !message.keys.includes(key));
        return;
      case 'run':
        return this.#command(message.command);
    }
  }

  async #command(command: Extract<Own, { readonly type: 'run' }>['command']): Promise<void> {
    if (command === 'away') {
      this.#away.dismiss();
      this.#show();
      return;
    }
    const commands = { restart: 'restartServer', doctor: 'doctor', setUp: 'setUp' };
    await vscode.commands.executeCommand(`signalbox.${commands[command]}`);
  }

  async #act(key: string, act: NeedAct): Promise<void> {
    const item = this.itemOf(key);
    if (item === undefined) return;
    await this.#parts.act(item, act);
    // A row that a key removed at once comes back if its item still waits.
    await this.#fetches.now();
    if (this.#model.itemOf(key) !== undefined) this.post({ type: 'back', key });
  }

  async #choose(key: string, index: number): Promise<void> {
    const item = this.itemOf(key);
    const option = item?.question?.options?.[index];
    if (item === undefined) return;
    if (item.escalation !== undefined) await this.#parts.suggest(item, index);
    else if (option !== undefined) this.#outcomes.choose(key, item, option);
  }

  /** Fetches the full text or request of a row that shows only a part. */
  async #whole(key: string): Promise<void> {
    const item = this.itemOf(key);
    if (item === undefined) return;
    const { server } = this.kind;
    try {
      if (item.request !== undefined) {
        const request = await server.request('signalbox/needs/request', { id: item.request.id });
        this.post({ type: 'whole', key, request });
        return;
      }
      const ref = item.question?.message ?? threadOf(item)?.ref;
      if (ref === undefined) return;
      const around = item.question === undefined ? {} : { side: 'around' as const };
      const page = await server.request('signalbox/thread/get', { ref, limit: 1, ...around });
      const message = page.messages.at(-1);
      if (message !== undefined) this.post({ type: 'whole', key, html: message.html, text: message.text });
    } catch (error) {
      // The row shows the part in the list, and the thread has the rest.
      this.kind.server.log.warn(`needs you: ${describeError(error)}`);
    }
  }

  async #reload(): Promise<boolean | undefined> {
    const { server } = this.kind;
    const loading = this.#model.reload();
    if (this.visible) showProgressWhenSlow(needsViewId, loading);
    try {
      const page = await loading;
      if (page === undefined) return undefined;
      this.#count(page.total);
      this.#fetchedAt = Date.now();
      if (this.visible) this.#agents = (await server.request('signalbox/agents/list', {})).agents;
      await this.#endings();
      this.#show();
      this.#rowsEmitter.fire(undefined);
    } catch (error) {
      server.log.error(`needs you: ${describeError(error)}`);
      // If there is no server, the view shows its state.
      if (!server.broken) this.post({ type: 'failed', failure: failureOf('list', error, vscode.l10n.t) });
    }
    return true;
  }

  /** Shows how items ended that are no longer listed. */
  async #endings(): Promise<void> {
    const listed = new Map(this.#model.all.map((item) => [keyOf(item), item]));
    const gone = [...this.#before].filter(([key]) => !listed.has(key));
    this.#before = listed;
    const ended = new Set(
      this.#model.all.flatMap(({ agent }) => (agent?.state === 'ended' ? [agent.key] : [])),
    );
    if (!this.ready) return;
    const words = outcomeTable(vscode.l10n.t);
    const left: Ending = { words: words.ended, icon: 'ended', tone: 'bad', over: true };
    await Promise.all(
      gone.map(async ([key, item]) => {
        const ending = ended.has(item.agent?.key ?? '')
          ? left
          : await howEnded(this.kind.server, item, words, this.#parts.isOpen(item));
        this.#outcomes.gone(key, ending);
      }),
    );
  }

  async #windowChanged(state: vscode.WindowState): Promise<void> {
    const { server } = this.kind;
    if (server.state !== 'running') {
      this.#away.forget();
      return;
    }
    try {
      if (await this.#away.changed(state, Date.now())) this.#show();
    } catch (error) {
      server.log.error(`while you were away: ${describeError(error)}`);
    }
  }

  #stateChanged(): void {
    const { server } = this.kind;
    if (server.state !== 'running') this.#model.forgetRevision();
    if (server.broken && !this.#model.loaded) this.#count(0);
    this.#show();
    this.#rowsEmitter.fire(undefined);
  }

  #count(total: number): void {
    if (total === this.#total) return;
    this.#total = total;
    this.#rowsEmitter.fire(undefined);
  }

  /** Sends the page what it shows, if that changed. */
  #show(): void {
    this.#describe();
    if (!this.ready) return;
    const { terminals, unfinished } = this.#parts;
    const { all, counts } = this.#model;
    const rows = needRows(all, {
      t: vscode.l10n.t,
      words: this.#words,
      terminal: (agent) => terminals.of(agent) !== undefined,
      draft: ({ ref }) => unfinished.has(ref),
      list: (names) => new Intl.ListFormat(vscode.env.language).format(names),
      clock: (time) => hourMinute(time, vscode.env.language),
    });
    const list: ToNeeds = {
      ...{ type: 'list', rows, counts, state: this.#state() },
      ...{
        away: this.#away.words,
        notes: this.#notes(),
        endings: Object.fromEntries(this.#outcomes.endings),
      },
    };
    const shown = JSON.stringify(list);
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.post(list);
  }

  #state(): NeedsState {
    const { server } = this.kind;
    if (server.broken) return { kind: 'unknown', since: this.#fetchedAt };
    if (!this.#model.loaded) return { kind: 'starting' };
    const { status } = server;
    const seen = this.#agents.length > 0 || this.#model.all.length > 0;
    if (!seen && status !== undefined && !canAsk(status)) return { kind: 'unconnected' };
    return { kind: 'known', agents: doingWords(vscode.l10n.t, this.#agents) };
  }

  #notes(): readonly string[] {
    const notes: string[] = [];
    if (this.kind.server.status?.readOnly === true) notes.push(readOnlyNote());
    const [warning] = this.#model.warnings;
    if (warning !== undefined) notes.push(warning.message);
    return notes;
  }

  /** Shows beside the view's name how much needs the user: "5 blocked, 4 questions". */
  #describe(): void {
    const { status } = this.kind.server;
    if (status !== undefined) void setContext('signalbox.canAnswer', !status.readOnly);
    if (this.view === undefined) return;
    const { blocked, questions } = this.#model.counts;
    const parts = [
      blocked === 0 ? '' : vscode.l10n.t('{0} blocked', blocked),
      questions === 0
        ? ''
        : questions === 1
          ? vscode.l10n.t('1 question')
          : vscode.l10n.t('{0} questions', questions),
    ];
    this.view.description = parts.filter((part) => part !== '').join(', ');
  }
}
