// Guards against languages whose support in VS Code fetches a schema named in the text. A
// stranger's text is shown in a language that only colours it.

import * as vscode from 'vscode';

const fetching: readonly string[] = ['json', 'jsonc', 'snippets'];
const colouring = 'jsonl';

/** Sets documents of a scheme to a language that fetches nothing. */
export function colourOnly(scheme: string): vscode.Disposable {
  return vscode.workspace.onDidOpenTextDocument((document) => {
    if (document.uri.scheme === scheme && fetching.includes(document.languageId))
      void vscode.languages.setTextDocumentLanguage(document, colouring);
  });
}
