// What a part of the extension registered with VS Code.

import type * as vscode from 'vscode';

/** A part of the extension. Disposing of it takes back everything that it registered. */
export abstract class Registrations implements vscode.Disposable {
  readonly #registered: vscode.Disposable[] = [];

  dispose(): void {
    for (const registration of this.#registered) registration.dispose();
  }

  protected register(...registrations: readonly vscode.Disposable[]): void {
    this.#registered.push(...registrations);
  }
}
