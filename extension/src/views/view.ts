// The extension's side of a page in an editor tab: what thread views and task
// views have in common. The pages themselves are in src/webview.

import * as vscode from 'vscode';
import type { Translate } from '../fill';
import { Registrations } from '../registrations';
import type { Server } from '../server/client';
import { failureOf, type Failure, type Tried } from '../server/failureWords';
import { describeError } from '../server/failures';
import { httpsAddress, isCommon, type CommonMessage, type WordsMessage } from './messages';
import { runRemedy, showFailure } from './notify';
import { showPage, type PageName } from './page';

/** What is the same for all views of a kind. */
export interface ViewKind<Words> {
  readonly server: Server;
  /** The extension's own folder. */
  readonly resources: vscode.Uri;
  readonly page: PageName;
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

  protected post(message: To | WordsMessage<Words>): void {
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
