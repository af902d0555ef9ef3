// Languages whose support in VS Code fetches a schema that the text itself
// names. A stranger's text is shown in one that only colours.

import * as vscode from 'vscode';

const fetching: readonly string[] = ['json', 'jsonc', 'snippets'];
const colouring = 'jsonl';

/** Keeps the documents of a scheme to languages that fetch nothing. */
export function colourOnly(scheme: string): vscode.Disposable {
  return vscode.workspace.onDidOpenTextDocument((document) => {
    if (document.uri.scheme === scheme && fetching.includes(document.languageId))
      void vscode.languages.setTextDocumentLanguage(document, colouring);
  });
}
