// The extension's side of a page in an editor tab: the base class of thread and task views.

import type * as vscode from 'vscode';
import { PageHost, type ViewKind } from './host';
import type { CommonMessage } from './messages';

export type { ViewKind } from './host';

export abstract class View<Words, From extends { readonly type: string }, To> extends PageHost<
  Words,
  From,
  To
> {
  protected readonly panel: vscode.WebviewPanel;
  /** Whether the text field is still to get the focus. */
  #awaited = false;

  constructor(kind: ViewKind<Words>, panel: vscode.WebviewPanel, onDispose: () => void) {
    super(kind);
    this.panel = panel;
    this.register(
      panel.onDidDispose(() => {
        this.detach();
        if (this.#awaited) void this.takeAhead();
        super.dispose();
        onDispose();
      }),
      this.attach(panel.webview),
    );
  }

  /** Closes the tab, which also unregisters everything. */
  override dispose(): void {
    this.panel.dispose();
  }

  get active(): boolean {
    return this.panel.active;
  }

  /** Whether something else may be shown in this tab: nothing is typed in it. */
  get replaceable(): boolean {
    return !this.typed;
  }

  protected override async receiveCommon(message: CommonMessage): Promise<void> {
    if (message.type === 'awaitsText') await this.#awaitsText(message.focused);
    else await super.receiveCommon(message);
  }

  /**
   * Brings the tab to the front. If its text field is wanted, text typed in the meantime is
   * caught, and the page gets the focus once it awaits text.
   */
  protected reveal(wantsText: boolean, preserveFocus: boolean): void {
    const { ahead } = this.kind;
    // Text typed for a thread or task that is no longer to be shown here is dropped.
    if (this.#awaited && !wantsText) void this.takeAhead();
    this.#awaited = wantsText;
    if (wantsText) ahead?.begin();
    this.panel.reveal(this.panel.viewColumn, preserveFocus || ahead?.active === true);
  }

  /** Gives the page the focus, and then the text that was typed before. */
  async #awaitsText(focused: boolean): Promise<void> {
    if (!this.#awaited) return;
    if (!focused) {
      this.panel.reveal(this.panel.viewColumn, false);
      return;
    }
    const text = await this.takeAhead();
    if (text !== '') this.post({ type: 'typed', text });
  }

  protected override takeAhead(): Promise<string> {
    this.#awaited = false;
    return super.takeAhead();
  }
}
