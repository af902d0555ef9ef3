// The extension's side of a page, in an editor tab or in the side bar. The pages themselves are
// in src/webview.

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

/** The properties that all views of a kind share. */
export interface ViewKind<Words> {
  readonly server: Server;
  /** The extension's own folder. */
  readonly resources: vscode.Uri;
  readonly page: PageName;
  /** Takes text that is typed before the page has the focus, if the page has a text field. */
  readonly ahead?: TypedAhead;
  /** Returns the page's words, in the user's language. */
  words(t: Translate, mac: boolean): Words;
}

export abstract class PageHost<Words, From extends { readonly type: string }, To> extends Registrations {
  /** Whether the page is up and has its words. */
  protected ready = false;
  /** Whether the user typed something that is not sent. */
  protected typed = false;
  protected readonly kind: ViewKind<Words>;
  /** The page's webview, while there is one. */
  #webview: vscode.Webview | undefined;

  constructor(kind: ViewKind<Words>) {
    super();
    this.kind = kind;
  }

  protected abstract receive(message: From): Promise<void>;
  /** Fills a page that has just come up. */
  protected abstract begin(): Promise<void>;
  protected abstract load(): Promise<void>;

  /** Fetches older entries, if the page has any. */
  protected older(): Promise<void> {
    return Promise.resolve();
  }

  /** Opens the page's content as a text document, if the page offers that. */
  protected openAsText(): Promise<void> {
    return Promise.resolve();
  }

  /** Shows the page in a webview, and listens to it. */
  protected attach(webview: vscode.Webview): vscode.Disposable {
    this.#webview = webview;
    this.ready = false;
    showPage(webview, this.kind.resources, this.kind.page);
    return webview.onDidReceiveMessage((message: CommonMessage | From) => {
      void (isCommon(message) ? this.receiveCommon(message) : this.receive(message));
    });
  }

  /** Whether the page has a webview. */
  protected get attached(): boolean {
    return this.#webview !== undefined;
  }

  /** Notes that the page is gone. */
  protected detach(): void {
    this.#webview = undefined;
    this.ready = false;
  }

  protected async receiveCommon(message: CommonMessage): Promise<void> {
    switch (message.type) {
      case 'ready':
        this.ready = true;
        this.post({
          type: 'words',
          words: this.kind.words(vscode.l10n.t, process.platform === 'darwin'),
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
      case 'focused':
        return;
      case 'leave':
        await vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup');
        return;
      case 'keys':
        await vscode.commands.executeCommand('signalbox.showKeys');
        return;
      case 'ahead':
        this.kind.ahead?.add(message.text);
        return;
      case 'search':
        await vscode.commands.executeCommand('signalbox.search', { text: message.text });
        return;
      case 'typing':
        this.typed = !message.empty;
        return;
      case 'copy':
        await vscode.env.clipboard.writeText(message.text);
        return;
      case 'open': {
        // Only https, and only through VS Code, which asks before it opens an unknown site.
        const address = httpsAddress(message.href);
        if (address !== undefined) await vscode.env.openExternal(vscode.Uri.parse(address, true));
      }
    }
  }

  /** Returns the text typed before the page had the focus. The input box takes no more keys. */
  protected async takeAhead(): Promise<string> {
    return (await this.kind.ahead?.take()) ?? '';
  }

  protected post(message: To | TypedMessage | WordsMessage<Words>): void {
    void this.#webview?.postMessage(message);
  }

  /** Carries out a button's action, and shows a failure to the user. */
  protected async tell(tried: Tried, run: () => Promise<void>): Promise<void> {
    try {
      await run();
    } catch (error) {
      showFailure(this.kind.server.log, tried, error, () => this.tell(tried, run));
    }
  }

  /** Logs why something failed, and returns the failure in words for the user. */
  protected logged(tried: Tried, error: unknown): Failure {
    this.kind.server.log.error(`${tried}: ${describeError(error)}`);
    return failureOf(tried, error, vscode.l10n.t);
  }
}
