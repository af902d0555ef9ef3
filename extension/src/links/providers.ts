// Definitions, references, completion, workspace symbols and code actions for
// mentions of messages and threads in any document. Tokens go to the server,
// documents do not.

import { describeError, isCancelled } from '../server/failures';
import * as vscode from 'vscode';
import type { Server } from '../server/client';
import type { LinkIndex } from './linkIndex';
import { Limit, type LocatedLink, type Location, type LspSymbol } from '../protocol';
import { completionAt, tokensAt, withoutMentions, type Completing } from './tokens';
import { ServerPart } from '../server/serverPart';

/** The languages in which a line "to:" may mean mail. */
const proseLanguages = /^(markdown|plaintext|git-commit|scminput|json|jsonc|jsonl)$/;

const referencesMost = 1_000;

export class LinkProviders
  extends ServerPart
  implements
    vscode.DefinitionProvider,
    vscode.ReferenceProvider,
    vscode.CompletionItemProvider,
    vscode.WorkspaceSymbolProvider,
    vscode.CodeActionProvider
{
  readonly #index: LinkIndex;

  constructor(server: Server, index: LinkIndex) {
    super(server);
    this.#index = index;
    const everywhere = { scheme: '*' };
    this.register(
      vscode.languages.registerDefinitionProvider(everywhere, this),
      vscode.languages.registerReferenceProvider(everywhere, this),
      vscode.languages.registerCompletionItemProvider(everywhere, this, ':', ' '),
      vscode.languages.registerWorkspaceSymbolProvider(this),
      vscode.languages.registerCodeActionsProvider(everywhere, this, {
        providedCodeActionKinds: [vscode.CodeActionKind.Empty],
      }),
    );
  }

  async provideDefinition(
    document: vscode.TextDocument,
    position: vscode.Position,
    cancel: vscode.CancellationToken,
  ): Promise<vscode.Location[]> {
    const link = await this.#locate(document, position, cancel);
    return link?.locations.map(toLocation) ?? [];
  }

  async provideReferences(
    document: vscode.TextDocument,
    position: vscode.Position,
    context: vscode.ReferenceContext,
    cancel: vscode.CancellationToken,
  ): Promise<vscode.Location[]> {
    return this.#quietly<vscode.Location[]>('references', [], async () => {
      const link = await this.#locate(document, position, cancel);
      if (link === undefined) return [];
      const found = context.includeDeclaration ? link.locations.map(toLocation) : [];
      let cursor: string | undefined;
      do {
        const params = {
          token: link.token,
          limit: Limit.page,
          ...(cursor === undefined ? {} : { cursor }),
        };
        const page = await this.server.request('signalbox/link/references', params, cancel);
        found.push(...page.locations.map(toLocation));
        cursor = page.nextCursor;
      } while (cursor !== undefined && found.length < referencesMost && !cancel.isCancellationRequested);
      return found;
    });
  }

  async provideCompletionItems(
    document: vscode.TextDocument,
    position: vscode.Position,
    cancel: vscode.CancellationToken,
    context: vscode.CompletionContext,
  ): Promise<vscode.CompletionList> {
    const none = new vscode.CompletionList([]);
    if (withoutMentions.includes(document.uri.scheme)) return none;
    const before = document.lineAt(position.line).text.slice(0, position.character);
    const asked = context.triggerKind === vscode.CompletionTriggerKind.Invoke;
    const at = completionAt(before, asked, proseLanguages.test(document.languageId));
    if (at === undefined) return none;
    return this.#quietly('completion', none, () => this.#complete(at, position, cancel));
  }

  async provideWorkspaceSymbols(
    query: string,
    cancel: vscode.CancellationToken,
  ): Promise<vscode.SymbolInformation[]> {
    return this.#quietly<vscode.SymbolInformation[]>('symbols', [], async () => {
      await this.server.ensure();
      const symbols = await this.server.request('workspace/symbol', { query }, cancel);
      return symbols.map(toSymbol);
    });
  }

  async provideCodeActions(
    document: vscode.TextDocument,
    range: vscode.Range,
    context: vscode.CodeActionContext,
    cancel: vscode.CancellationToken,
  ): Promise<vscode.CodeAction[]> {
    // A light bulb at every id that the cursor passes would be noise.
    if (context.triggerKind !== vscode.CodeActionTriggerKind.Invoke || context.only !== undefined) return [];
    const link = await this.#locate(document, range.start, cancel);
    return link === undefined ? [] : actionsFor(link);
  }

  async #complete(
    at: Completing,
    position: vscode.Position,
    cancel: vscode.CancellationToken,
  ): Promise<vscode.CompletionList> {
    await this.server.ensure();
    const { items, incomplete } = await this.server.request(
      'signalbox/link/complete',
      { kind: at.kind, prefix: at.prefix, limit: 100 },
      cancel,
    );
    const range = new vscode.Range(position.translate(0, -at.prefix.length), position);
    const { User, Reference } = vscode.CompletionItemKind;
    return new vscode.CompletionList(
      items.map(({ text, kind, detail }, place) => {
        const item = new vscode.CompletionItem(text, kind === 'recipient' ? User : Reference);
        item.detail = detail;
        item.range = range;
        item.filterText = text;
        item.sortText = String(place).padStart(4, '0');
        return item;
      }),
      incomplete,
    );
  }

  /** Returns where the longest known token at a position leads. */
  async #locate(
    document: vscode.TextDocument,
    position: vscode.Position,
    cancel: vscode.CancellationToken,
  ): Promise<LocatedLink | undefined> {
    if (withoutMentions.includes(document.uri.scheme)) return undefined;
    return this.#quietly('links', undefined, async () => {
      const patterns = await this.#index.patterns();
      const tokens = tokensAt(document.lineAt(position.line).text, position.character, patterns);
      if (tokens.length === 0 || cancel.isCancellationRequested) return undefined;
      const params = { tokens: tokens.map(({ text }) => text).slice(0, Limit.refs) };
      const { links } = await this.server.request('signalbox/link/locate', params, cancel);
      return links.find(({ status }) => status !== 'missing');
    });
  }

  /** Runs a request that VS Code made on its own. A failure is logged, not shown. */
  async #quietly<Value>(what: string, otherwise: Value, run: () => Promise<Value>): Promise<Value> {
    try {
      return await run();
    } catch (error) {
      if (!isCancelled(error)) this.log.debug(`${what}: ${describeError(error)}`);
      return otherwise;
    }
  }
}

function toRange({ start, end }: Location['range']): vscode.Range {
  return new vscode.Range(start.line, start.character, end.line, end.character);
}

function toLocation({ uri, range }: Location): vscode.Location {
  return new vscode.Location(vscode.Uri.parse(uri), toRange(range));
}

function toSymbol({ name, containerName = '', location }: LspSymbol): vscode.SymbolInformation {
  return new vscode.SymbolInformation(name, vscode.SymbolKind.Namespace, containerName, toLocation(location));
}

/** Returns the actions for a mention. Commands get refs and tokens, no words of a stranger. */
function actionsFor(link: LocatedLink): vscode.CodeAction[] {
  const action = (title: string, command: string, argument: unknown): vscode.CodeAction => {
    const made = new vscode.CodeAction(title, vscode.CodeActionKind.Empty);
    made.command = { title, command: `signalbox.${command}`, arguments: [argument] };
    return made;
  };
  const list = [action(vscode.l10n.t('Open in Signalbox'), 'openMention', link.token)];
  if (link.link !== undefined) list.push(action(vscode.l10n.t('Copy Link'), 'copyAddress', link.link));
  const ref = link.thread ?? link.message;
  if (ref === undefined) return list;
  const more = {
    reply: action(vscode.l10n.t('Reply'), 'replyToThread', ref),
    markRead: action(vscode.l10n.t('Mark Thread as Read'), 'markThreadRead', ref),
    ack: action(vscode.l10n.t('Acknowledge…'), 'openMention', link.token),
    respond: action(vscode.l10n.t('Answer Escalation…'), 'openMention', link.token),
  };
  const can: ReadonlySet<string> = new Set(link.can);
  for (const [name, made] of Object.entries(more)) if (can.has(name)) list.push(made);
  return list;
}
