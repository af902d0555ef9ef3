// The extension's side of a page in the side bar. VS Code makes the page when it is first shown,
// and a new page each time it is shown again, so the page itself saves its state.

import * as vscode from 'vscode';
import { PageHost, type ViewKind } from './host';
import type { CommonMessage } from './messages';
import { setContext } from './notify';

/** A kind of page in the side bar. */
export interface SideKind<Words> extends ViewKind<Words> {
  /** The view's id in package.json. */
  readonly id: string;
  /** The context key that is set while the page has the focus. VS Code has none for a webview. */
  readonly focusKey: string;
}

export abstract class SideView<Words, From extends { readonly type: string }, To>
  extends PageHost<Words, From, To>
  implements vscode.WebviewViewProvider
{
  protected view: vscode.WebviewView | undefined;
  protected override readonly kind: SideKind<Words>;
  #shown: vscode.Disposable | undefined;

  constructor(kind: SideKind<Words>) {
    super(kind);
    this.kind = kind;
    this.register(vscode.window.registerWebviewViewProvider(kind.id, this));
  }

  override dispose(): void {
    this.#shown?.dispose();
    super.dispose();
  }

  /** Whether the page is on the screen. */
  get visible(): boolean {
    return this.view?.visible === true;
  }

  /** Shows the view, and gives its page the focus. */
  async focus(): Promise<void> {
    await vscode.commands.executeCommand(`${this.kind.id}.focus`);
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.#shown?.dispose();
    this.view = view;
    this.#shown = vscode.Disposable.from(
      this.attach(view.webview),
      view.onDidChangeVisibility(() => {
        if (!view.visible) this.#focused(false);
      }),
      view.onDidDispose(() => {
        this.#focused(false);
        this.detach();
        this.view = undefined;
      }),
    );
  }

  protected override async receiveCommon(message: CommonMessage): Promise<void> {
    if (message.type === 'focused') this.#focused(message.focused);
    else await super.receiveCommon(message);
  }

  #focused(focused: boolean): void {
    void setContext(this.kind.focusKey, focused);
  }
}
