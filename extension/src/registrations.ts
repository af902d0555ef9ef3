// The base class of the parts of the extension that register something with VS Code.

import type * as vscode from 'vscode';

/** A part of the extension. Disposing of it unregisters everything that it registered. */
export abstract class Registrations implements vscode.Disposable {
  readonly #registered: vscode.Disposable[] = [];

  dispose(): void {
    for (const registration of this.#registered) registration.dispose();
  }

  protected register(...registrations: readonly vscode.Disposable[]): void {
    this.#registered.push(...registrations);
  }
}
