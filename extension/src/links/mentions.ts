// Links to messages and threads: in every document, in the terminal, and from
// other programs as vscode://signalbox-dev.signalbox/thread/….

import { describeError, isCancelled } from '../server/failures';
import * as vscode from 'vscode';
import { showFailure } from '../views/notify';
import { noticeText } from '../strangers';
import type { LinkIndex, OpenMention } from './linkIndex';
import type { ResolvedLink } from '../protocol';
import { linkToken } from '../address';
import { tokensIn, withoutMentions, withoutOverlaps, type Token } from './tokens';
import { Registrations } from '../registrations';

/** How much of a document is searched at most, in UTF-16 code units, and for how many tokens. */
const documentChars = 256 * 1024;
const documentTokens = 500;
const terminalTokens = 20;

interface TerminalMention extends vscode.TerminalLink {
  readonly token: string;
}

export class Mentions
  extends Registrations
  implements vscode.DocumentLinkProvider, vscode.TerminalLinkProvider<TerminalMention>, vscode.UriHandler
{
  readonly #index: LinkIndex;
  readonly #open: OpenMention;

  constructor(index: LinkIndex, open: OpenMention) {
    super();
    this.#index = index;
    this.#open = open;
    this.register(
      vscode.languages.registerDocumentLinkProvider({ scheme: '*' }, this),
      vscode.window.registerTerminalLinkProvider(this),
      vscode.window.registerUriHandler(this),
      vscode.commands.registerCommand('signalbox.openMention', async (token: unknown) => {
        if (typeof token === 'string') await this.open(token);
      }),
      vscode.commands.registerCommand('signalbox.copyAddress', async (address: unknown) => {
        if (typeof address !== 'string') return;
        await vscode.env.clipboard.writeText(address);
        vscode.window.setStatusBarMessage(`$(check) ${vscode.l10n.t('Link copied')}`, 3_000);
      }),
    );
  }

  async provideDocumentLinks(
    document: vscode.TextDocument,
    cancel: vscode.CancellationToken,
  ): Promise<vscode.DocumentLink[]> {
    if (withoutMentions.includes(document.uri.scheme)) return [];
    const end = document.positionAt(documentChars);
    const text = document.getText(new vscode.Range(new vscode.Position(0, 0), end));
    const found = await this.#found(text, documentTokens, cancel);
    return found.map(({ token, link }) => {
      const range = new vscode.Range(document.positionAt(token.start), document.positionAt(token.end));
      const shown = new vscode.DocumentLink(range, openMention(token.text));
      shown.tooltip = vscode.l10n.t('Open in Signalbox: {0}', link.title ?? token.text);
      return shown;
    });
  }

  async provideTerminalLinks(
    context: vscode.TerminalLinkContext,
    cancel: vscode.CancellationToken,
  ): Promise<TerminalMention[]> {
    const found = await this.#found(context.line, terminalTokens, cancel);
    return found.map(({ token, link }) => ({
      startIndex: token.start,
      length: token.end - token.start,
      tooltip: vscode.l10n.t('Open in Signalbox: {0}', link.title ?? token.text),
      token: token.text,
    }));
  }

  async handleTerminalLink({ token }: TerminalMention): Promise<void> {
    await this.open(token);
  }

  /** Opens the thread that another program, such as a web page, asked for. An address can do nothing else. */
  async handleUri(uri: vscode.Uri): Promise<void> {
    const token = linkToken(uri.path);
    if (token === undefined) {
      void vscode.window.showWarningMessage(vscode.l10n.t('This Signalbox link leads nowhere.'));
      return;
    }
    await this.open(token);
  }

  /** Opens the thread that a token names, or warns the user that it names nothing or several messages. */
  async open(token: string): Promise<void> {
    const cancel = new vscode.CancellationTokenSource();
    try {
      await this.#index.patterns();
      const link = (await this.#index.resolve([token], cancel.token)).get(token);
      const thread = link?.thread ?? link?.message;
      if (link?.status === 'found' && thread !== undefined) {
        this.#open(thread, link.message);
        return;
      }
      // The token may come from a web page.
      const shown = noticeText(token, 80);
      void vscode.window.showWarningMessage(
        link?.status === 'ambiguous'
          ? vscode.l10n.t('"{0}" matches several messages. Hover over it to see them.', shown)
          : vscode.l10n.t('Signalbox knows no message or thread "{0}".', shown),
      );
    } catch (error) {
      showFailure(this.#index.log, 'open', error, () => this.open(token));
    } finally {
      cancel.dispose();
    }
  }

  async #found(
    text: string,
    most: number,
    cancel: vscode.CancellationToken,
  ): Promise<readonly { readonly token: Token; readonly link: ResolvedLink }[]> {
    try {
      const tokens = tokensIn(text, await this.#index.patterns(), most);
      if (tokens.length === 0 || cancel.isCancellationRequested) return [];
      const links = await this.#index.resolve(
        tokens.map((token) => token.text),
        cancel,
      );
      return withoutOverlaps(tokens).flatMap((token) => {
        const link = links.get(token.text);
        return link?.status === 'found' ? [{ token, link }] : [];
      });
    } catch (error) {
      if (!isCancelled(error)) this.#index.log.debug(`links: ${describeError(error)}`);
      return [];
    }
  }
}

function openMention(token: string): vscode.Uri {
  return vscode.Uri.parse(`command:signalbox.openMention?${encodeURIComponent(JSON.stringify([token]))}`);
}
