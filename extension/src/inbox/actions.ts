// What the user does to threads: mark as read, archive, snooze, dismiss, and undo that.

import * as vscode from 'vscode';
import { readConfig } from '../config';
import type { Counts, Ref } from '../protocol';
import type { Server } from '../server/client';
import { ServerPart } from '../server/serverPart';
import { untilWords } from '../when';
import { markable, markAllParams, type InboxModel } from './model';
import { UndoItem } from './undo';
import { doneWords, markedWords, type Shelving } from './words';

export class InboxActions extends ServerPart {
  readonly #model: InboxModel;
  readonly #show: (counts: Counts) => Promise<void>;
  readonly #undo = new UndoItem();

  /** `show` shows what a request changed. The server tells of it too, so one look at the list is enough. */
  constructor(server: Server, model: InboxModel, show: (counts: Counts) => Promise<void>) {
    super(server);
    this.#model = model;
    this.#show = show;
    this.register(this.#undo);
  }

  /**
   * Marks threads read or unread. Never moves a watermark unless the setting says so.
   * Returns the revision that shows it, or 0 where nothing was to be marked.
   */
  async setRead(all: readonly Ref[], read: boolean): Promise<number> {
    const refs = markable(this.#model.threads, all);
    if (refs.length === 0 || this.server.status?.readOnly === true) return 0;
    const updateWatermark = readConfig().updateWatermark;
    const counts = await this.server.request('signalbox/read/set', { refs, read, updateWatermark });
    await this.#show(counts);
    return counts.revision;
  }

  /** Marks all threads as read that pass the filter, whether they are fetched or not. */
  async markAllRead(): Promise<void> {
    const params = markAllParams(this.#model.filter, readConfig().updateWatermark);
    if (params === undefined || this.server.status?.readOnly === true) return;
    const marked = await this.server.request('signalbox/read/all', params);
    this.#undo.offer(markedWords(vscode.l10n.t, marked.threads), marked, []);
    await this.#show(marked);
  }

  /** Archives, snoozes or dismisses threads of every format, or takes them back. */
  async shelve(refs: readonly Ref[], how: Shelving): Promise<void> {
    if (refs.length === 0) return;
    const counts = await this.server.request('signalbox/thread/shelve', { refs, ...how });
    const until = 'snoozeUntil' in how ? untilWords(how.snoozeUntil, Date.now(), vscode.env.language) : '';
    this.#undo.offer(doneWords(vscode.l10n.t, how, refs.length, until), counts, refs);
    await this.#show(counts);
  }

  /** Undoes what was done last. Returns the threads it was done to, or undefined where there is nothing to undo. */
  async undo(): Promise<readonly Ref[] | undefined> {
    const last = this.#undo.take();
    if (last === undefined) {
      vscode.window.setStatusBarMessage(vscode.l10n.t('Nothing to undo'), 4_000);
      return undefined;
    }
    await this.#show(await this.server.request('signalbox/undo', { undo: last.undo }));
    vscode.window.setStatusBarMessage(vscode.l10n.t('Undone'), 4_000);
    return last.refs;
  }
}
