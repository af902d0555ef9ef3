// Previews of open compose documents: the server's warnings as diagnostics, and the
// outcome above the first line. The preview of signed mail has a stamp. A message sent
// with the stamp is exactly the one that was shown.

import { describeError, isAnswer, isCancelled } from '../server/failures';
import * as vscode from 'vscode';
import type { Server } from '../server/client';
import { composeLanguage, composeScheme, draftId } from './files';
import { diagnosticsOf, problemWords } from './problems';
import {
  attemptFor,
  headerProblems,
  isSigned,
  parseDraft,
  toDraft,
  type DraftText,
  type Problem,
} from './draft';
import { lookUp } from './draftFiles';
import type { DraftStore } from './drafts';
import { type ComposePreview, type Draft } from '../protocol';
import { ServerPart } from '../server/serverPart';

/** How long typing must pause before the server is asked. */
const pauseMillis = 300;

/** An older preview is made again before sending, unless its bytes are on the screen. */
const staleMillis = 60_000;

interface Watched {
  /** Whether the user tried to send. Before that, empty fields are not shown as mistakes. */
  tried: boolean;
  timer?: NodeJS.Timeout;
  cancel?: vscode.CancellationTokenSource;
  shown?: Shown;
}

/** A preview and the document version that it was made from. */
interface Shown {
  readonly preview: ComposePreview;
  readonly version: number;
  readonly at: number;
  /** Whether a file that the document names is missing. */
  readonly missing: boolean;
}

/** A document read as a draft. */
interface Reading {
  readonly parsed: DraftText;
  readonly draft: Draft;
  readonly signed: boolean;
  readonly problems: readonly Problem[];
  readonly missing: readonly Problem[];
  /** The stamp of an earlier attempt to send this draft that got no answer, or empty. */
  readonly tried: string;
}

export class ComposePreviews extends ServerPart implements vscode.CodeLensProvider {
  readonly #drafts: DraftStore;
  readonly #diagnostics = vscode.languages.createDiagnosticCollection('signalbox');
  readonly #lensEmitter = new vscode.EventEmitter<void>();
  readonly #previewEmitter = new vscode.EventEmitter<vscode.Uri>();
  readonly #watched = new Map<string, Watched>();

  readonly onDidChangeCodeLenses = this.#lensEmitter.event;
  /** Fires with the URI of a document that has a new preview. */
  readonly onDidPreview = this.#previewEmitter.event;

  constructor(server: Server, drafts: DraftStore) {
    super(server);
    this.#drafts = drafts;
    this.register(
      this.#diagnostics,
      this.#lensEmitter,
      this.#previewEmitter,
      vscode.languages.registerCodeLensProvider({ scheme: composeScheme }, this),
      vscode.workspace.onDidOpenTextDocument((document) => this.#schedule(document)),
      vscode.workspace.onDidChangeTextDocument((event) => this.#schedule(event.document)),
      vscode.workspace.onDidCloseTextDocument((document) => this.#forget(document.uri)),
      // VS Code keeps documents for a while after their tabs were closed. The
      // problems of a sent draft must not stay that long.
      vscode.window.tabGroups.onDidChangeTabs(({ opened, closed }) => {
        for (const uri of closed.flatMap(composeUris)) if (!hasTab(uri)) this.#forget(uri);
        const again = new Set(opened.flatMap(composeUris).map(String));
        for (const document of vscode.workspace.textDocuments) {
          if (again.has(document.uri.toString())) this.#schedule(document);
        }
      }),
      server.onDidChangeStatus(() => {
        for (const document of vscode.workspace.textDocuments) this.#schedule(document);
      }),
    );
    for (const document of vscode.workspace.textDocuments) this.#schedule(document);
  }

  override dispose(): void {
    for (const watched of this.#watched.values()) stop(watched);
    super.dispose();
  }

  /** Notes that sending failed: from now on, empty fields are shown as mistakes. */
  tried(document: vscode.TextDocument): void {
    const watched = this.#watched.get(document.uri.toString());
    if (watched === undefined) return;
    watched.tried = true;
    delete watched.shown;
    this.#schedule(document);
  }

  previewOf(uri: vscode.Uri): ComposePreview | undefined {
    return this.#watched.get(uri.toString())?.shown?.preview;
  }

  /**
   * Returns the draft to send. Signed mail gets the stamp of its preview, which is made now if
   * the text changed. `bytesShown` means that the preview's bytes are on the screen.
   */
  async outgoing(document: vscode.TextDocument, bytesShown: boolean): Promise<Draft> {
    const reading = await this.#read(document);
    const missing = reading.missing[0];
    if (missing !== undefined) throw new Error(problemWords(missing));
    if (!reading.signed) return reading.draft;
    const known = this.#watched.get(document.uri.toString())?.shown;
    const fresh = known !== undefined && (bytesShown || Date.now() - known.at < staleMillis);
    const preview =
      fresh && known.version === document.version
        ? known.preview
        : await this.server.request('signalbox/compose/preview', { draft: reading.draft });
    const { stamp = '' } = preview;
    return stamp === '' ? reading.draft : { ...reading.draft, stamp };
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const shown = this.#watched.get(document.uri.toString())?.shown;
    const top = new vscode.Range(0, 0, 0, 0);
    if (shown === undefined) return [];
    const { preview, missing } = shown;
    const signed = preview.signed !== undefined && preview.signed !== '';
    const send = signed
      ? vscode.l10n.t('Sign and send as {0}', preview.from)
      : vscode.l10n.t('Send as {0}', preview.from);
    const lenses = [
      new vscode.CodeLens(
        top,
        preview.canSend && !missing
          ? { title: send, command: 'signalbox.sendDraft' }
          : { title: vscode.l10n.t('Add a recipient and a text'), command: '' },
      ),
    ];
    if (signed) {
      const title = vscode.l10n.t('What will be signed');
      const command = 'signalbox.showSigned';
      lenses.push(new vscode.CodeLens(top, { title, command, arguments: [document.uri] }));
    } else if (preview.protocol !== 'amp' && preview.thread !== '') {
      const title = vscode.l10n.t('thread {0}', preview.thread);
      lenses.push(new vscode.CodeLens(top, { title, command: '' }));
    }
    return lenses;
  }

  #schedule(document: vscode.TextDocument): void {
    if (document.uri.scheme !== composeScheme || document.isClosed) return;
    // The name has no extension that identifies the language. Setting it reopens the document.
    if (document.languageId !== composeLanguage) {
      void vscode.languages.setTextDocumentLanguage(document, composeLanguage);
      return;
    }
    const key = document.uri.toString();
    const watched = this.#watched.get(key) ?? { tried: false };
    this.#watched.set(key, watched);
    stop(watched);
    watched.timer = setTimeout(() => void this.#check(document, watched), pauseMillis);
  }

  #forget(uri: vscode.Uri): void {
    const key = uri.toString();
    const watched = this.#watched.get(key);
    if (watched === undefined) return;
    stop(watched);
    this.#watched.delete(key);
    this.#diagnostics.delete(uri);
  }

  async #read(document: vscode.TextDocument): Promise<Reading> {
    const parsed = parseDraft(document.getText());
    const { replyTo, attempt } = await this.#drafts.facts(draftId(document.uri));
    const signed = isSigned(parsed.to, replyTo);
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
    const { problems: missing, ...files } = signed
      ? await lookUp(parsed, folder)
      : { attachments: [], context: '', problems: [] };
    const problems = [...parsed.problems, ...headerProblems(parsed, signed), ...missing];
    const draft = toDraft(parsed, replyTo, files);
    const tried =
      attempt !== undefined && attemptFor(draft, attempt) === attempt ? (attempt.stamp ?? '') : '';
    return { parsed, draft, signed, problems, missing, tried };
  }

  /**
   * Requests a preview. With a stamp the server returns the same preview again if
   * the draft and its files are unchanged.
   */
  async #ask(draft: Draft, stamp: string, token: vscode.CancellationToken): Promise<ComposePreview> {
    if (stamp !== '') {
      try {
        const params = { draft: { ...draft, stamp } };
        const same = await this.server.request('signalbox/compose/preview', params, token);
        if (same.canSend) return same;
      } catch (error) {
        if (!isAnswer(error)) throw error;
      }
    }
    return this.server.request('signalbox/compose/preview', { draft }, token);
  }

  async #check(document: vscode.TextDocument, watched: Watched): Promise<void> {
    const cancel = new vscode.CancellationTokenSource();
    watched.cancel = cancel;
    const version = document.version;
    const overtaken = (): boolean =>
      cancel.token.isCancellationRequested || document.isClosed || document.version !== version;
    try {
      const { parsed, draft, problems, missing, tried } = await this.#read(document);
      if (overtaken()) return;
      const preview = await this.#ask(draft, tried || stampOf(watched.shown, version), cancel.token);
      if (overtaken()) return;
      watched.shown = { preview, version, at: Date.now(), missing: missing.length > 0 };
      this.#diagnostics.set(document.uri, diagnosticsOf(parsed, problems, preview, watched.tried));
      this.#lensEmitter.fire();
      this.#previewEmitter.fire(document.uri);
    } catch (error) {
      if (!isCancelled(error)) this.log.warn(`compose: ${describeError(error)}`);
    }
  }
}

function composeUris({ input }: vscode.Tab): readonly vscode.Uri[] {
  return input instanceof vscode.TabInputText && input.uri.scheme === composeScheme ? [input.uri] : [];
}

function hasTab(uri: vscode.Uri): boolean {
  const key = uri.toString();
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .flatMap(composeUris)
    .some((shown) => shown.toString() === key);
}

/** Returns the stamp of the preview of this document version, or empty. */
function stampOf(shown: Shown | undefined, version: number): string {
  return shown?.version === version ? (shown.preview.stamp ?? '') : '';
}

function stop(watched: Watched): void {
  clearTimeout(watched.timer);
  watched.cancel?.cancel();
  watched.cancel?.dispose();
  delete watched.cancel;
}
