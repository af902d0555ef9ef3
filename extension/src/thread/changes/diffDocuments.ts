// The old and the new text of a tool's change, in VS Code's diff editor. Both texts come
// from an untrusted source and exist only as read-only documents. The path in a diff is a
// label: no file is read.

import { describeError } from '../../server/failures';
import * as vscode from 'vscode';
import type { Server } from '../../server/client';
import { type Diff, type Ref } from '../../protocol';
import { documentNameOf, readRef } from '../../refs';
import { colourOnly } from '../../views/textLanguages';
import { ReadOnlyDocuments } from '../../views/readOnlyDocuments';

const scheme = 'signalbox-diff';

/** The tool call and the side that a document shows. */
interface Source {
  readonly message: Ref;
  readonly tool: number;
  readonly side: 'old' | 'new';
  /** Whether keys and tokens are shown in clear. */
  readonly secrets: boolean;
}

export class DiffDocuments extends ReadOnlyDocuments {
  readonly #server: Server;
  /** The change that was opened last: its second text is not requested again. */
  #last: { readonly key: string; readonly diff: Promise<Diff> } | undefined;
  /** The changes whose keys and tokens the user asked to see. A restored tab hides them. */
  readonly #shown = new Set<string>();

  constructor(server: Server) {
    super(scheme);
    this.#server = server;
    this.register(colourOnly(scheme));
  }

  /** Opens the change that a tool call made. */
  async show(message: Ref, tool: number, threadTitle: string, secrets: boolean): Promise<void> {
    this.#last = undefined;
    if (secrets) this.#shown.add(JSON.stringify([message, tool]));
    const { path } = await this.#diff({ message, tool, secrets });
    const name = documentNameOf(path);
    const sides = ['old', 'new'].map((side) =>
      this.uri(name, JSON.stringify({ message, tool, side, secrets })),
    );
    // Both are opened first, so that their language is set before they are shown.
    for (const side of sides) await vscode.workspace.openTextDocument(side);
    await vscode.commands.executeCommand('vscode.diff', ...sides, `${name} (${threadTitle})`);
  }

  override async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const source = parseSource(uri.query);
    if (source === undefined) throw new Error(vscode.l10n.t('this address does not name a change'));
    try {
      const diff = await this.#diff(source);
      return diff[source.side];
    } catch (error) {
      this.#server.log.error(`diff: ${describeError(error)}`);
      throw error;
    }
  }

  #diff({ message, tool, secrets: wanted }: Omit<Source, 'side'>): Promise<Diff> {
    const secrets = wanted && this.#shown.has(JSON.stringify([message, tool]));
    const key = JSON.stringify([message, tool, secrets]);
    if (this.#last?.key !== key) {
      const diff = this.#server.request('signalbox/thread/diff', {
        ref: message,
        tool,
        ...(secrets ? { secrets } : {}),
      });
      this.#last = { key, diff };
      diff.catch(() => {
        if (this.#last?.diff === diff) this.#last = undefined;
      });
    }
    return this.#last.diff;
  }
}

/** Returns the source that an address names. The address may come from a restored tab. */
function parseSource(query: string): Source | undefined {
  let value: unknown;
  try {
    value = JSON.parse(query);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const message = 'message' in value ? readRef(value.message) : undefined;
  if (message === undefined || !('tool' in value) || typeof value.tool !== 'number') return undefined;
  if (!('side' in value) || (value.side !== 'old' && value.side !== 'new')) return undefined;
  const secrets = 'secrets' in value && value.secrets === true;
  return { message, tool: value.tool, side: value.side, secrets };
}
