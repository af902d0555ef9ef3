// Completion in the header of a compose document: header names, recipients,
// threads, and the values of signed mail's headers.

import { describeError } from '../server/failures';
import * as vscode from 'vscode';
import type { Server } from '../server/client';
import { composeScheme } from './files';
import { headerNames, parseDraft, type DraftText } from './draft';
import { type ComposeContext } from '../protocol';
import { join } from '../fill';
import { relativeTime } from '../when';
import { ServerPart } from '../server/serverPart';

/** The most files of the workspace that are offered. */
const filesShown = 500;

const priorities = ['urgent', 'high', 'normal', 'low'];
const types = [
  'request',
  'response',
  'notification',
  'alert',
  'task',
  'status',
  'handoff',
  'ack',
  'update',
  'system',
];

export class ComposeCompletion extends ServerPart implements vscode.CompletionItemProvider {
  constructor(server: Server) {
    super(server);
    this.register(vscode.languages.registerCompletionItemProvider({ scheme: composeScheme }, this, ':', ' '));
  }

  async provideCompletionItems(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<vscode.CompletionItem[]> {
    const parsed = parseDraft(document.getText());
    const line = document.lineAt(position.line);
    if (position.line >= parsed.bodyLine || (line.isEmptyOrWhitespace && position.line > 0)) return [];
    const header = /^(\w+):\s*/.exec(line.text);
    const name = header?.[1]?.toLowerCase();
    if (header === null || name === undefined || position.character < header[0].trimEnd().length) {
      return headerNames.map((known) => headerItem(known));
    }
    // An item replaces the whole value and puts a space after the colon.
    const start = new vscode.Position(position.line, header[0].trimEnd().length);
    const range = new vscode.Range(start, line.range.end);
    const { EnumMember, Folder } = vscode.CompletionItemKind;
    try {
      switch (name) {
        case 'to':
          return recipients(await this.#context(), range, document, parsed);
        case 'thread':
          return threads(await this.#context(), range, parsed.to);
        case 'priority':
          return priorities.map((value, index) => valueItem(value, range, index, EnumMember));
        case 'type':
          return types.map((value, index) => valueItem(value, range, index, EnumMember));
        case 'attach':
          return [chooseItem(range, Folder), ...(await files(range))];
      }
    } catch (error) {
      this.log.warn(`completion: ${describeError(error)}`);
    }
    return [];
  }

  #context(): Promise<ComposeContext> {
    return this.server.request('signalbox/compose/context', {});
  }
}

function recipients(
  context: ComposeContext,
  range: vscode.Range,
  document: vscode.TextDocument,
  parsed: DraftText,
): vscode.CompletionItem[] {
  const addresses = context.amp?.recipients ?? [];
  const names = new Set(addresses.map(({ alias }) => alias));
  const aliases = context.recipients.filter(({ alias }) => !names.has(alias));
  const items = [...aliases, ...addresses].map(({ alias, lastTime, doing = '' }, index) => {
    const item = valueItem(alias, range, index, vscode.CompletionItemKind.User);
    const seen = lastTime > 0 ? relativeTime(lastTime, Date.now(), vscode.env.language) : '';
    item.detail = join([names.has(alias) ? vscode.l10n.t('signed mail') : '', doing, seen], ', ');
    return item;
  });
  const headers = signedHeaders(document, parsed);
  for (const item of items.slice(aliases.length)) item.additionalTextEdits = headers;
  return items;
}

/** Returns the edit that turns an empty Thread header into a Subject, for signed mail. */
function signedHeaders(document: vscode.TextDocument, parsed: DraftText): vscode.TextEdit[] {
  const line = parsed.headers.find(({ field }) => field === 'thread')?.place.line;
  const known = parsed.headers.some(({ field }) => field === 'subject');
  if (line === undefined || known || parsed.thread !== '') return [];
  return [vscode.TextEdit.replace(document.lineAt(line).range, 'Subject: \nPriority: normal')];
}

/** Returns the threads, shown by title, the recipient's threads first. An item inserts the name. */
function threads(context: ComposeContext, range: vscode.Range, to: string): vscode.CompletionItem[] {
  const others = context.threads.filter((thread) => !thread.with.includes(to));
  const own = context.threads.filter((thread) => thread.with.includes(to));
  return [...own, ...others].map(({ name, title }, index) => {
    const item = valueItem(name, range, index, vscode.CompletionItemKind.Reference);
    item.label = title === name ? name : { label: title, description: name };
    item.filterText = ` ${name} ${title}`;
    return item;
  });
}

/** Returns the files of the workspace, relative to its first folder. */
async function files(range: vscode.Range): Promise<vscode.CompletionItem[]> {
  const folder = vscode.workspace.workspaceFolders?.[0];
  if (folder === undefined) return [];
  const pattern = new vscode.RelativePattern(folder, '**/*');
  const found = await vscode.workspace.findFiles(pattern, '**/{node_modules,.git}/**', filesShown);
  return found
    .map((uri) => vscode.workspace.asRelativePath(uri, false))
    .sort()
    .map((path, index) => valueItem(path, range, index + 1, vscode.CompletionItemKind.File));
}

function chooseItem(range: vscode.Range, kind: vscode.CompletionItemKind): vscode.CompletionItem {
  const item = valueItem('', range, 0, kind);
  item.label = vscode.l10n.t('Choose files…');
  item.insertText = ' ';
  item.command = { command: 'signalbox.attachFiles', title: '' };
  return item;
}

function headerItem(name: string): vscode.CompletionItem {
  const item = new vscode.CompletionItem(name, vscode.CompletionItemKind.Keyword);
  item.insertText = `${name}: `;
  item.command = { command: 'editor.action.triggerSuggest', title: '' };
  return item;
}

function valueItem(
  value: string,
  range: vscode.Range,
  index: number,
  kind: vscode.CompletionItemKind,
): vscode.CompletionItem {
  const item = new vscode.CompletionItem(value, kind);
  item.range = range;
  item.insertText = ` ${value}`;
  item.filterText = ` ${value}`;
  // The server's order: most recent first.
  item.sortText = String(index).padStart(5, '0');
  return item;
}
