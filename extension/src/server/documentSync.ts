// Sends the server the few documents that concern it, of the kinds that it named at
// its start.

import { documentKindsOf } from './negotiation';
import * as vscode from 'vscode';
import type { LanguageClient, Middleware } from 'vscode-languageclient/node';
import { inWorkspace } from '../places';
import { mayBe, needed, SyncedDocuments } from './documentKinds';

/** All documents that may concern the server. The middleware looks at their text. */
export function documentSelector(): { scheme?: string; pattern: string }[] {
  const patterns = ['**/*.json', '**/log-*.jsonl', '**/.agent/threads/*/messages.jsonl'];
  return patterns.map((pattern) => ({ ...inWorkspace(), pattern }));
}

/** Returns the middleware that decides which documents a session's server gets. */
export function documentMiddleware(client: () => LanguageClient): Middleware {
  const synced = new SyncedDocuments();
  const concernsServer = (document: vscode.TextDocument): boolean => {
    const experimental: unknown = client().initializeResult?.capabilities.experimental;
    // The length is checked first: getting the text of a large document is slow.
    const end = document.offsetAt(document.lineAt(document.lineCount - 1).range.end);
    return documentKindsOf(experimental).some(
      (kind) =>
        end <= kind.maxBytes &&
        vscode.languages.match({ ...inWorkspace(), pattern: kind.pattern }, document) > 0 &&
        mayBe(kind, beginning(document, needed(kind, end))),
    );
  };
  return {
    didOpen: async (document, next) => {
      if (synced.opened(keyOf(document), concernsServer(document))) await next(document);
    },
    didChange: async (event, next) => {
      const { document } = event;
      const { code2ProtocolConverter: converter } = client();
      switch (synced.changed(keyOf(document), concernsServer(document))) {
        case 'open':
          await client().sendNotification(
            'textDocument/didOpen',
            converter.asOpenTextDocumentParams(document),
          );
          return;
        case 'change':
          await next(event);
          return;
        case 'close':
          await client().sendNotification(
            'textDocument/didClose',
            converter.asCloseTextDocumentParams(document),
          );
          client().diagnostics?.delete(document.uri);
          return;
        case 'nothing':
          return;
      }
    },
    didClose: async (document, next) => {
      if (synced.closed(keyOf(document))) await next(document);
    },
    provideCodeActions: (document, range, context, token, next) =>
      synced.has(keyOf(document)) ? next(document, range, context, token) : [],
  };
}

/** Returns the first characters of a document without building its whole text. */
function beginning(document: vscode.TextDocument, length: number): string {
  return length === 0
    ? ''
    : document.getText(new vscode.Range(document.positionAt(0), document.positionAt(length)));
}

function keyOf(document: vscode.TextDocument): string {
  return document.uri.toString();
}
