// The item in the status bar that shows the last action on threads, and undoes it.

import * as vscode from 'vscode';
import { Registrations } from '../registrations';
import { fill } from '../fill';
import type { Counts, Ref } from '../protocol';

/** How long the offer is shown. The key and the command can still undo after that. */
const shownMillis = 20_000;

/** An action that can be undone: its number for the server, and its threads. */
export interface Done {
  readonly undo: number;
  readonly refs: readonly Ref[];
}

export class UndoItem extends Registrations {
  readonly #item = vscode.window.createStatusBarItem('signalbox.undo', vscode.StatusBarAlignment.Left, 9);
  #last: Done | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor() {
    super();
    this.#item.name = vscode.l10n.t('Signalbox: Undo');
    this.#item.command = 'signalbox.undo';
    this.#item.tooltip = vscode.l10n.t('Undo (Ctrl+Z in the list)');
    this.register(this.#item);
  }

  override dispose(): void {
    clearTimeout(this.#timer);
    super.dispose();
  }

  /** Shows what was done, and offers to undo it if the server can. */
  offer(words: string, { undo = 0 }: Counts, refs: readonly Ref[]): void {
    this.#last = undo > 0 ? { undo, refs } : undefined;
    if (this.#last === undefined) {
      this.#hide();
      vscode.window.setStatusBarMessage(words, 4_000);
      return;
    }
    const text = fill(vscode.l10n.t('{0} · Undo', '{0}'), words);
    this.#item.text = `$(discard) ${text}`;
    this.#item.accessibilityInformation = { label: text, role: 'button' };
    this.#item.show();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#hide(), shownMillis);
  }

  /** Returns the last action, once. */
  take(): Done | undefined {
    const last = this.#last;
    this.#last = undefined;
    this.#hide();
    return last;
  }

  #hide(): void {
    clearTimeout(this.#timer);
    this.#item.hide();
  }
}
