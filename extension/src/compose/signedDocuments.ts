// "What will be signed": the exact bytes and the payload of a compose document. They are in a
// read-only document beside it that is updated with the text.

import * as vscode from 'vscode';
import { composeScheme } from './files';
import type { ComposePreviews } from './preview';
import { previewAsMarkdown, previewWords } from '../signed/signedText';
import { ReadOnlyDocuments } from '../views/readOnlyDocuments';

const scheme = 'signalbox-signed';

export class SignedDocuments extends ReadOnlyDocuments {
  readonly #previews: ComposePreviews;

  constructor(previews: ComposePreviews) {
    super(scheme);
    this.#previews = previews;
    this.register(previews.onDidPreview((draft) => this.changed(signedUri(draft))));
  }

  /** Shows the bytes to be signed of the draft with this URI, or of the active one. */
  async show(argument: unknown): Promise<void> {
    const draft = argument instanceof vscode.Uri ? argument : vscode.window.activeTextEditor?.document.uri;
    if (draft?.scheme !== composeScheme) return;
    await this.open(signedUri(draft), { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true });
  }

  override provideTextDocumentContent(uri: vscode.Uri): string {
    return previewAsMarkdown(
      this.#previews.previewOf(vscode.Uri.parse(uri.query, true)),
      previewWords(vscode.l10n.t),
    );
  }
}

function signedUri(draft: vscode.Uri): vscode.Uri {
  return vscode.Uri.from({
    scheme,
    path: `/${vscode.l10n.t('What will be signed')}.md`,
    query: draft.toString(),
  });
}

export function signedTabs(draft: vscode.Uri): readonly vscode.Tab[] {
  const key = signedUri(draft).toString();
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === key);
}
