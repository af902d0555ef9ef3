// Compose documents: opening, sending and discarding drafts.

import { describeError, isAnswer } from '../server/failures';
import { showFailure } from '../views/notify';
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { Server } from '../server/client';
import { composeLanguage, composeScheme, composeUri, draftId } from './files';
import type { ComposePreviews } from './preview';
import { attemptFor, formatDraft, parseDraft, type Attempt } from './draft';
import type { DraftStore, SavedDraft } from './drafts';
import { type Draft, type Ref, type Sent } from '../protocol';
import { fileNameOf } from '../refs';
import { signedTabs } from './signedDocuments';
import { relativeTime } from '../when';

/** What composing needs from the rest of the extension. */
export interface ComposerParts {
  readonly server: Server;
  readonly drafts: DraftStore;
  readonly previews: ComposePreviews;
  readonly openThread: (ref: Ref) => void;
  /** Called with the threads that drafts answer. */
  readonly answering: (threads: readonly Ref[]) => void;
}

export class Composer {
  readonly #parts: ComposerParts;
  readonly #sending = new Set<string>();

  constructor(parts: ComposerParts) {
    this.#parts = parts;
  }

  /** Opens a new message, empty or with a first text. */
  async newMessage(draft: Draft = { to: '', body: '' }, name = vscode.l10n.t('New message')): Promise<void> {
    await this.#open(draft, name);
  }

  /**
   * Opens a reply to a thread or message, or mail about an agent's thread. The
   * server fills in the headers.
   */
  async reply(ref: Ref, body = ''): Promise<void> {
    const context = await this.#parts.server.request('signalbox/compose/context', { ref });
    if (context.draft === undefined) {
      void vscode.window.showWarningMessage(context.reason || vscode.l10n.t('There is nobody to reply to.'));
      return;
    }
    const { to } = context.draft;
    // `ref` may be a message's. The draft needs its thread.
    const { thread } = await this.#parts.server.request('signalbox/thread/get', { ref, limit: 1 });
    await this.#open(
      body === '' ? context.draft : { ...context.draft, body },
      to === '' ? vscode.l10n.t('New message') : vscode.l10n.t('Reply to {0}', to.replace(/(?<=.)@.*$/, '')),
      thread.ref,
    );
  }

  /** Reports the threads that are answered by drafts with a text. */
  async reportDraftThreads(): Promise<void> {
    try {
      const drafts = await this.#parts.drafts.list();
      const begun = drafts.filter(({ text }) => parseDraft(text).body.trim() !== '');
      this.#parts.answering(begun.flatMap(({ facts }) => facts.thread ?? []));
    } catch (error) {
      // A draft was removed meanwhile. Its removal is reported as well.
      this.#parts.server.log.debug(`drafts: ${describeError(error)}`);
    }
  }

  /** Lets the user choose among the saved drafts. */
  async openSaved(): Promise<void> {
    const drafts = await this.#parts.drafts.list();
    if (drafts.length === 0) {
      void vscode.window.showInformationMessage(vscode.l10n.t('There are no saved drafts.'));
      return;
    }
    const placeHolder = vscode.l10n.t('Open a draft');
    const chosen = await vscode.window.showQuickPick(drafts.map(draftPick), {
      placeHolder,
      matchOnDetail: true,
    });
    if (chosen !== undefined) await this.#show(chosen.draft.id, chosen.draft.facts.name);
  }

  /** Sends a compose document, by default the active one. After a failure the draft stays. */
  async send(document = activeCompose()): Promise<void> {
    if (document === undefined) return;
    const key = document.uri.toString();
    // A second Ctrl+Enter must not send a second message.
    if (this.#sending.has(key)) return;
    this.#sending.add(key);
    try {
      const location = vscode.ProgressLocation.Window;
      const title = vscode.l10n.t('Sending…');
      const sent = await vscode.window.withProgress({ location, title }, () => this.#send(document));
      await this.#finish(document);
      vscode.window.setStatusBarMessage(`$(check) ${vscode.l10n.t('Sent')}`, 4_000);
      this.#parts.openThread(sent.thread);
    } catch (error) {
      this.#parts.previews.tried(document);
      showFailure(this.#parts.server.log, 'draft', error, () => this.send(document));
    } finally {
      this.#sending.delete(key);
    }
  }

  /** Deletes the draft with the focus. Asks first if the draft has a text. */
  async discard(): Promise<void> {
    const document = activeCompose();
    if (document === undefined) return;
    if (parseDraft(document.getText()).body.trim() !== '') {
      const discard = vscode.l10n.t('Discard');
      const question = vscode.l10n.t('Discard this draft?');
      const choice = await vscode.window.showWarningMessage(question, { modal: true }, discard);
      if (choice !== discard) return;
    }
    await this.#finish(document);
  }

  async #send(document: vscode.TextDocument): Promise<Sent> {
    const id = draftId(document.uri);
    const facts = await this.#parts.drafts.facts(id);
    const draft = await this.#parts.previews.outgoing(document, signedTabs(document.uri).length > 0);
    const kept = attemptFor(draft, facts.attempt);
    // A retry uses the same stamp, and with it the id and the times of the first try.
    const stamp = kept.stamp ?? draft.stamp;
    const stamped = stamp === undefined ? {} : { stamp };
    const attempt = { ...kept, ...stamped };
    // Saved before sending, so that a retry is recognised even after a crash.
    await this.#parts.drafts.setFacts(id, { ...facts, attempt });
    const { token } = attempt;
    try {
      const params = { draft: { ...draft, ...stamped }, clientToken: token };
      return await this.#parts.server.request('signalbox/message/send', params);
    } catch (error) {
      // The server refused, so nothing was sent: the next try needs a new stamp.
      if (isAnswer(error))
        await this.#parts.drafts.setFacts(id, { ...facts, attempt: withoutStamp(attempt) });
      throw error;
    }
  }

  async #open(draft: Draft, name: string, thread?: Ref): Promise<void> {
    const id = randomUUID();
    const { replyTo } = draft;
    const facts = {
      name,
      ...(replyTo === undefined ? {} : { replyTo }),
      ...(thread === undefined ? {} : { thread }),
    };
    await this.#parts.drafts.create(id, facts, formatDraft(draft));
    void this.reportDraftThreads();
    await this.#show(id, name);
  }

  async #show(id: string, name: string): Promise<void> {
    const uri = composeUri(id, fileNameOf(name) || 'Message');
    // The language is set first: setting it later would close the suggestions.
    const document = await vscode.languages.setTextDocumentLanguage(
      await vscode.workspace.openTextDocument(uri),
      composeLanguage,
    );
    const { to } = parseDraft(document.getText());
    const place =
      to === '' ? document.lineAt(0).range.end : document.lineAt(document.lineCount - 1).range.end;
    // The selection is set here: setting it later would move the cursor of a user who types.
    const selection = new vscode.Range(place, place);
    await vscode.window.showTextDocument(document, { preview: false, selection });
    if (to === '') await vscode.commands.executeCommand('editor.action.triggerSuggest');
  }

  /** Closes the document and deletes the draft. Saving first avoids VS Code's question. */
  async #finish(document: vscode.TextDocument): Promise<void> {
    if (document.isDirty) await document.save();
    const key = document.uri.toString();
    const tabs = vscode.window.tabGroups.all
      .flatMap((group) => group.tabs)
      .filter((tab) => tab.input instanceof vscode.TabInputText && tab.input.uri.toString() === key);
    await vscode.window.tabGroups.close([...tabs, ...signedTabs(document.uri)]);
    await this.#parts.drafts.remove(draftId(document.uri));
    await this.reportDraftThreads();
  }
}

function withoutStamp({ token, draft }: Attempt): Attempt {
  return { token, draft };
}

function activeCompose(): vscode.TextDocument | undefined {
  const document = vscode.window.activeTextEditor?.document;
  return document?.uri.scheme === composeScheme ? document : undefined;
}

function draftPick(draft: SavedDraft): vscode.QuickPickItem & { readonly draft: SavedDraft } {
  const { to, body } = parseDraft(draft.text);
  return {
    label: to === '' ? draft.facts.name : vscode.l10n.t('To {0}', to),
    description: relativeTime(draft.changed, Date.now(), vscode.env.language),
    detail: body.replace(/\s+/g, ' ').slice(0, 120),
    draft,
  };
}
