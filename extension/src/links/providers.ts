// Definitions, references, completion, workspace symbols and code actions for
// mentions of messages and threads in any document. Tokens go to the server,
// documents do not.

import { describeError, isCancelled } from '../server/failures';
import * as vscode from 'vscode';
import type { Server } from '../server/client';
import type { LinkIndex } from './linkIndex';
import { type LocatedLink, type Location, type LspSymbol } from '../protocol';
import { completionAt, tokensAt, type Completing } from './tokens';
import { ServerPart } from '../registrations';

/** Documents that are left alone: logs and our own documents. */
const elsewhere: readonly string[] = ['output', 'signalbox-compose', 'signalbox-doctor'];

/** The languages in which a line "to:" may mean mail. */
const proseLanguages: readonly string[] = [
  'markdown',
  'plaintext',
  'git-commit',
  'scminput',
  'json',
  'jsonc',
  'jsonl',
];

const referencesMost = 1_000;
const referencesPage = 200;

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
    return this.#quietly('references', async () => {
      const link = await this.#locate(document, position, cancel);
      if (link === undefined) return [];
      const found = context.includeDeclaration ? link.locations.map(toLocation) : [];
      let cursor: string | undefined;
      do {
        const params = {
          token: link.token,
          limit: referencesPage,
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
    if (elsewhere.includes(document.uri.scheme)) return new vscode.CompletionList([]);
    const before = document.lineAt(position.line).text.slice(0, position.character);
    const asked = context.triggerKind === vscode.CompletionTriggerKind.Invoke;
    const at = completionAt(before, asked, proseLanguages.includes(document.languageId));
    if (at === undefined) return new vscode.CompletionList([]);
    return this.#quietly('completion', () => this.#complete(at, position, cancel)).then(
      (list) => list ?? new vscode.CompletionList([]),
    );
  }

  async provideWorkspaceSymbols(
    query: string,
    cancel: vscode.CancellationToken,
  ): Promise<vscode.SymbolInformation[]> {
    return this.#quietly('symbols', async () => {
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
    return new vscode.CompletionList(
      items.map(({ text, kind, detail }, place) => {
        const kinds = {
          recipient: vscode.CompletionItemKind.User,
          thread: vscode.CompletionItemKind.Reference,
          message: vscode.CompletionItemKind.Reference,
        };
        const item = new vscode.CompletionItem(text, kinds[kind]);
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
    if (elsewhere.includes(document.uri.scheme)) return undefined;
    const found = await this.#quietly('links', async () => {
      const patterns = await this.#index.patterns();
      const tokens = tokensAt(document.lineAt(position.line).text, position.character, patterns);
      if (tokens.length === 0 || cancel.isCancellationRequested) return [];
      const params = { tokens: tokens.map(({ text }) => text).slice(0, 50) };
      const { links } = await this.server.request('signalbox/link/locate', params, cancel);
      return links.filter(({ status }) => status !== 'missing');
    });
    return found[0];
  }

  /** Runs a request that VS Code made on its own. A failure is logged, not shown. */
  async #quietly<Item>(what: string, run: () => Promise<Item[]>): Promise<Item[]>;
  async #quietly<Value>(what: string, run: () => Promise<Value>): Promise<Value | undefined>;
  async #quietly<Value>(what: string, run: () => Promise<Value>): Promise<Value | never[] | undefined> {
    try {
      return await run();
    } catch (error) {
      if (!isCancelled(error)) this.log.debug(`${what}: ${describeError(error)}`);
      return what === 'completion' ? undefined : [];
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
  const ref = link.thread ?? link.message;
  const action = (title: string, command: string, argument: unknown): vscode.CodeAction => {
    const made = new vscode.CodeAction(title, vscode.CodeActionKind.Empty);
    made.command = { title, command: `signalbox.${command}`, arguments: [argument] };
    return made;
  };
  const list = [action(vscode.l10n.t('Open in Signalbox'), 'openMention', link.token)];
  if (link.link !== undefined) list.push(action(vscode.l10n.t('Copy Link'), 'copyAddress', link.link));
  if (ref === undefined) return list;
  const can = new Set(link.can);
  if (can.has('reply')) list.push(action(vscode.l10n.t('Reply'), 'replyToThread', ref));
  if (can.has('markRead')) list.push(action(vscode.l10n.t('Mark Thread as Read'), 'markThreadRead', ref));
  if (can.has('ack')) list.push(action(vscode.l10n.t('Acknowledge…'), 'openMention', link.token));
  if (can.has('respond')) list.push(action(vscode.l10n.t('Answer Escalation…'), 'openMention', link.token));
  return list;
}
