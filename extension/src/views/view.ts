// The extension's side of a page in an editor tab: what thread views and task
// views have in common. The pages themselves are in src/webview.

import * as vscode from 'vscode';
import type { Translate } from '../fill';
import { Registrations } from '../registrations';
import type { Server } from '../server/client';
import { failureOf, type Failure, type Tried } from '../server/failureWords';
import { describeError } from '../server/failures';
import { httpsAddress, isCommon, type CommonMessage, type TypedMessage, type WordsMessage } from './messages';
import { runRemedy, showFailure } from './notify';
import { showPage, type PageName } from './page';
import type { TypedAhead } from './typedAhead';

/** What is the same for all views of a kind. */
export interface ViewKind<Words> {
  readonly server: Server;
  /** The extension's own folder. */
  readonly resources: vscode.Uri;
  readonly page: PageName;
  /** Takes what is typed before the page has the focus, where the page has a text field. */
  readonly ahead?: TypedAhead;
  /** Returns what the page says, in the user's language. */
  words(t: Translate, mac: boolean): Words;
}

export abstract class View<Words, From extends { readonly type: string }, To> extends Registrations {
  protected readonly panel: vscode.WebviewPanel;
  /** Whether the page is up and knows its words. */
  protected ready = false;
  /** Whether the user typed something that is not sent. */
  protected typed = false;
  readonly #kind: ViewKind<Words>;
  /** Whether the text field is wanted and has not had the focus yet. */
  #awaited = false;
  #gone = false;

  constructor(kind: ViewKind<Words>, panel: vscode.WebviewPanel, onDispose: () => void) {
    super();
    this.#kind = kind;
    this.panel = panel;
    this.register(
      panel.webview.onDidReceiveMessage((message: CommonMessage | From) => {
        void (isCommon(message) ? this.receiveCommon(message) : this.receive(message));
      }),
      panel.onDidDispose(() => {
        this.#gone = true;
        if (this.#awaited) void this.takeAhead();
        super.dispose();
        onDispose();
      }),
    );
    showPage(panel.webview, kind.resources, kind.page);
  }

  /** Closes the tab; what was registered goes with it. */
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

  protected abstract receive(message: From): Promise<void>;
  /** Fills a page that has just come up. */
  protected abstract begin(): Promise<void>;
  protected abstract load(): Promise<void>;
  protected abstract older(): Promise<void>;
  protected abstract openAsText(): Promise<void>;

  protected async receiveCommon(message: CommonMessage): Promise<void> {
    switch (message.type) {
      case 'ready':
        this.ready = true;
        this.post({
          type: 'words',
          words: this.#kind.words(vscode.l10n.t, process.platform === 'darwin'),
          locale: vscode.env.language,
        });
        return this.begin();
      case 'retry':
        return this.load();
      case 'remedy':
        return runRemedy(message.remedy);
      case 'older':
        return this.older();
      case 'asText':
        return this.tell('open', () => this.openAsText());
      case 'awaitsText':
        return this.#awaitsText(message.focused);
      case 'typing':
        this.typed = !message.empty;
        return;
      case 'copy':
        await vscode.env.clipboard.writeText(message.text);
        return;
      case 'open': {
        // Only https, and only through VS Code, which asks before it opens a site it does not know.
        const address = httpsAddress(message.href);
        if (address !== undefined) await vscode.env.openExternal(vscode.Uri.parse(address, true));
      }
    }
  }

  /**
   * Brings the tab to the front. Where its text field is wanted and not there yet, what
   * is typed meanwhile is taken; the page gets the focus once it awaits text.
   */
  protected reveal(wantsText: boolean, preserveFocus: boolean): void {
    const { ahead } = this.#kind;
    // What was typed for something else that was to be shown here goes with it.
    if (this.#awaited && !wantsText) void this.takeAhead();
    this.#awaited = wantsText;
    if (wantsText) ahead?.begin();
    this.panel.reveal(this.panel.viewColumn, preserveFocus || ahead?.active === true);
  }

  /** Gives the page the focus, and then what was typed before. */
  async #awaitsText(focused: boolean): Promise<void> {
    if (!this.#awaited) return;
    if (!focused) {
      this.panel.reveal(this.panel.viewColumn, false);
      return;
    }
    const text = await this.takeAhead();
    if (text !== '') this.post({ type: 'typed', text });
  }

  /** Returns what was typed before the page had the focus. Keys go elsewhere from now on. */
  protected async takeAhead(): Promise<string> {
    this.#awaited = false;
    return (await this.#kind.ahead?.take()) ?? '';
  }

  protected post(message: To | TypedMessage | WordsMessage<Words>): void {
    if (!this.#gone) void this.panel.webview.postMessage(message);
  }

  /** Does what a button is for, and tells the user when it fails. */
  protected async tell(tried: Tried, run: () => Promise<void>): Promise<void> {
    try {
      await run();
    } catch (error) {
      showFailure(this.#kind.server.log, tried, error, () => this.tell(tried, run));
    }
  }

  /** Logs why something failed, and returns what that means to the user. */
  protected logged(tried: Tried, error: unknown): Failure {
    this.#kind.server.log.error(`${tried}: ${describeError(error)}`);
    return failureOf(tried, error, vscode.l10n.t);
  }
}
