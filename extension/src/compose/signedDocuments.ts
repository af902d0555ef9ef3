// "What will be signed": the exact bytes and the payload of a compose document,
// as a read-only document beside it that follows the text.

import * as vscode from 'vscode';
import { composeScheme } from './files';
import type { ComposePreviews } from './preview';
import { previewAsMarkdown, previewWords } from '../thread/signedText';
import { Registrations } from '../registrations';

const scheme = 'signalbox-signed';

export class SignedDocuments extends Registrations implements vscode.TextDocumentContentProvider {
  readonly #previews: ComposePreviews;
  readonly #emitter = new vscode.EventEmitter<vscode.Uri>();

  readonly onDidChange = this.#emitter.event;

  constructor(previews: ComposePreviews) {
    super();
    this.#previews = previews;
    this.register(
      this.#emitter,
      vscode.workspace.registerTextDocumentContentProvider(scheme, this),
      previews.onDidPreview((draft) => this.#emitter.fire(signedUri(draft))),
    );
  }

  /** Opens what will be signed of the draft at this address, or of the one in front. */
  async show(argument: unknown): Promise<void> {
    const draft = argument instanceof vscode.Uri ? argument : vscode.window.activeTextEditor?.document.uri;
    if (draft?.scheme !== composeScheme) return;
    const document = await vscode.workspace.openTextDocument(signedUri(draft));
    await vscode.window.showTextDocument(document, {
      viewColumn: vscode.ViewColumn.Beside,
      preserveFocus: true,
      preview: true,
    });
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
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

/** The tabs in which what will be signed of a draft is shown. */
export function signedTabs(draft: vscode.Uri): readonly vscode.Tab[] {
  const key = signedUri(draft).toString();
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === key);
}
