// What the server would make of each open compose document: its warnings as
// diagnostics, its outcome above the first line.

import * as vscode from 'vscode';
import type { Server } from './client';
import { composeLanguage, composeScheme, draftId } from './composeFiles';
import { parseDraft, toDraft, type DraftText, type Place, type Problem } from './draft';
import type { DraftStore } from './drafts';
import { describeError, isCancelled, type ComposePreview } from './protocol';

/** How long typing must pause before the server is asked. */
const pauseMillis = 300;

interface Watched {
  /** Whether the user tried to send: only then is what is still empty a mistake. */
  tried: boolean;
  timer?: NodeJS.Timeout;
  cancel?: vscode.CancellationTokenSource;
  preview?: ComposePreview;
}

export class ComposePreviews implements vscode.CodeLensProvider, vscode.Disposable {
  readonly #server: Server;
  readonly #drafts: DraftStore;
  readonly #log: vscode.LogOutputChannel;
  readonly #diagnostics = vscode.languages.createDiagnosticCollection('signalbox');
  readonly #lensEmitter = new vscode.EventEmitter<void>();
  readonly #watched = new Map<string, Watched>();
  readonly #disposables: vscode.Disposable[];

  readonly onDidChangeCodeLenses = this.#lensEmitter.event;

  constructor(server: Server, drafts: DraftStore, log: vscode.LogOutputChannel) {
    this.#server = server;
    this.#drafts = drafts;
    this.#log = log;
    this.#disposables = [
      this.#diagnostics,
      this.#lensEmitter,
      vscode.languages.registerCodeLensProvider({ scheme: composeScheme }, this),
      vscode.workspace.onDidOpenTextDocument((document) => {
        this.#schedule(document);
      }),
      vscode.workspace.onDidChangeTextDocument((event) => {
        this.#schedule(event.document);
      }),
      vscode.workspace.onDidCloseTextDocument((document) => {
        this.#forget(document);
      }),
      server.onDidChangeStatus(() => {
        for (const document of vscode.workspace.textDocuments) this.#schedule(document);
      }),
    ];
    for (const document of vscode.workspace.textDocuments) this.#schedule(document);
  }

  dispose(): void {
    for (const watched of this.#watched.values()) stop(watched);
    for (const disposable of this.#disposables) disposable.dispose();
  }

  /** Sending failed: from now on this document's empty fields are shown as wrong too. */
  tried(document: vscode.TextDocument): void {
    const watched = this.#watched.get(document.uri.toString());
    if (watched === undefined) return;
    watched.tried = true;
    this.#schedule(document);
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const preview = this.#watched.get(document.uri.toString())?.preview;
    const top = new vscode.Range(0, 0, 0, 0);
    if (preview === undefined) return [];
    const send = preview.canSend
      ? { title: vscode.l10n.t('Send as {0}', preview.from), command: 'signalbox.sendDraft' }
      : { title: vscode.l10n.t('Cannot be sent yet'), command: '' };
    const lenses = [new vscode.CodeLens(top, send)];
    if (preview.thread !== '') {
      const title = vscode.l10n.t('thread {0}', preview.thread);
      lenses.push(new vscode.CodeLens(top, { title, command: '' }));
    }
    return lenses;
  }

  #schedule(document: vscode.TextDocument): void {
    if (document.uri.scheme !== composeScheme || document.isClosed) return;
    // The name has no extension to tell the language by. Setting it opens the document anew.
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

  #forget(document: vscode.TextDocument): void {
    const key = document.uri.toString();
    const watched = this.#watched.get(key);
    if (watched === undefined) return;
    stop(watched);
    this.#watched.delete(key);
    this.#diagnostics.delete(document.uri);
  }

  async #check(document: vscode.TextDocument, watched: Watched): Promise<void> {
    const cancel = new vscode.CancellationTokenSource();
    watched.cancel = cancel;
    const parsed = parseDraft(document.getText());
    const version = document.version;
    try {
      const { replyTo } = await this.#drafts.facts(draftId(document.uri));
      const draft = toDraft(parsed, replyTo);
      const preview = await this.#server.request('signalbox/compose/preview', { draft }, cancel.token);
      if (cancel.token.isCancellationRequested || document.isClosed || document.version !== version) return;
      watched.preview = preview;
      this.#diagnostics.set(document.uri, diagnosticsOf(parsed, preview, watched.tried));
      this.#lensEmitter.fire();
    } catch (error) {
      if (!isCancelled(error)) this.#log.warn(`compose: ${describeError(error)}`);
    }
  }
}

function stop(watched: Watched): void {
  clearTimeout(watched.timer);
  watched.cancel?.cancel();
  watched.cancel?.dispose();
  delete watched.cancel;
}

function diagnosticsOf(parsed: DraftText, preview: ComposePreview, tried: boolean): vscode.Diagnostic[] {
  const own = parsed.problems.map(
    (problem) =>
      new vscode.Diagnostic(rangeOf(problem.place), problemWords(problem), vscode.DiagnosticSeverity.Warning),
  );
  const shown = preview.warnings.filter((warning) => tried || !isBlank(warning.field, parsed));
  const theirs = shown.map((warning) => {
    const place = placeOf(warning.field, parsed);
    const severity =
      warning.severity === 'error' ? vscode.DiagnosticSeverity.Error : vscode.DiagnosticSeverity.Warning;
    const diagnostic = new vscode.Diagnostic(rangeOf(place), warning.message, severity);
    diagnostic.code = warning.rule;
    return diagnostic;
  });
  for (const diagnostic of [...own, ...theirs]) diagnostic.source = 'Signalbox';
  return [...own, ...theirs];
}

function isBlank(field: string, parsed: DraftText): boolean {
  if (field === 'to') return parsed.to === '';
  return field === 'body' && parsed.body.trim() === '';
}

function placeOf(field: string, parsed: DraftText): Place {
  if (field === 'thread') return parsed.places.thread;
  if (field === 'body') return parsed.places.body;
  return parsed.places.to;
}

function rangeOf(place: Place): vscode.Range {
  return new vscode.Range(place.line, place.start, place.line, place.end);
}

function problemWords(problem: Problem): string {
  switch (problem.kind) {
    case 'unknownHeader':
      return vscode.l10n.t(
        'There is no header "{0}": use To or Thread. The body begins after a blank line.',
        problem.text,
      );
    case 'noColon':
      return vscode.l10n.t(
        'A header line is "To: name" or "Thread: name". The body begins after a blank line.',
      );
    case 'repeated':
      return vscode.l10n.t('"{0}" stands here twice; the first one counts.', problem.text);
    case 'noBody':
      return vscode.l10n.t('Leave a blank line after the header; the body begins there.');
  }
}
