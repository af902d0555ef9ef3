// Completion in the header of a compose document: header names, recipients,
// threads.

import * as vscode from 'vscode';
import type { Server } from './client';
import { composeScheme } from './composeFiles';
import { headerNames, parseDraft } from './draft';
import { describeError } from './protocol';
import { relativeTime } from './when';

export class ComposeCompletion implements vscode.CompletionItemProvider, vscode.Disposable {
  readonly #server: Server;
  readonly #log: vscode.LogOutputChannel;
  readonly #registration: vscode.Disposable;

  constructor(server: Server, log: vscode.LogOutputChannel) {
    this.#server = server;
    this.#log = log;
    this.#registration = vscode.languages.registerCompletionItemProvider(
      { scheme: composeScheme },
      this,
      ':',
      ' ',
    );
  }

  dispose(): void {
    this.#registration.dispose();
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
    // The whole value is replaced, and a space put after the colon where there is none.
    const start = new vscode.Position(position.line, header[0].trimEnd().length);
    const range = new vscode.Range(start, line.range.end);
    try {
      const context = await this.#server.request('signalbox/compose/context', {});
      if (name === 'to') {
        return context.recipients.map(({ alias, lastTime }, index) => {
          const item = valueItem(alias, range, index, vscode.CompletionItemKind.User);
          if (lastTime > 0) item.detail = relativeTime(lastTime, Date.now(), vscode.env.language);
          return item;
        });
      }
      if (name === 'thread') {
        return context.threads.map((thread, index) => {
          const item = valueItem(thread.name, range, index, vscode.CompletionItemKind.Reference);
          item.detail = thread.title;
          item.filterText = ` ${thread.name} ${thread.title}`;
          return item;
        });
      }
    } catch (error) {
      this.#log.warn(`completion: ${describeError(error)}`);
    }
    return [];
  }
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
