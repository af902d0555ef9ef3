// Diagnostics of open files. A file is checked when it is opened and a moment after
// each change.

import * as vscode from 'vscode';
import { bytesOf } from './calls';
import { problemsOf, type Problem } from './findings';
import { limits } from './limits';
import type { Mailroom } from './mailroom';
import { reasonOf } from './model';
import { placeOf } from './paths';
import { Lines } from './ranges';
import { readFolder } from './tasks';
import { pathOf } from './workspaceFiles';
import { Registrations } from '../registrations';

/** How long after a change a document is checked, in milliseconds. */
const settle = 300;

const pages = 'https://github.com/signalbox-dev/signalbox/blob/main/docs/';

export class Checks extends Registrations {
  readonly #mailroom: Mailroom;
  readonly #log: vscode.LogOutputChannel;
  readonly #problems = vscode.languages.createDiagnosticCollection('signalbox');
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();

  constructor(mailroom: Mailroom, log: vscode.LogOutputChannel) {
    super();
    this.#mailroom = mailroom;
    this.#log = log;
    this.register(
      this.#problems,
      vscode.workspace.onDidOpenTextDocument((document) => this.#later(document, 0)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.#later(document, settle)),
      vscode.workspace.onDidCloseTextDocument((document) => {
        this.#stop(document.uri);
        this.#problems.delete(document.uri);
      }),
      // The check of a file also depends on others: a thread's second file, a task's other messages.
      mailroom.onDidChange(() => this.#all()),
    );
    this.#all();
  }

  override dispose(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    super.dispose();
  }

  #all(): void {
    for (const document of vscode.workspace.textDocuments) this.#later(document, settle);
  }

  #later(document: vscode.TextDocument, millis: number): void {
    if (!/\.jsonl?$/.test(document.uri.path) || pathOf(document.uri) === undefined) return;
    this.#stop(document.uri);
    const timer = setTimeout(() => {
      this.#timers.delete(document.uri.toString());
      void this.#check(document);
    }, millis);
    this.#timers.set(document.uri.toString(), timer);
  }

  #stop(uri: vscode.Uri): void {
    clearTimeout(this.#timers.get(uri.toString()));
    this.#timers.delete(uri.toString());
  }

  async #check(document: vscode.TextDocument): Promise<void> {
    const path = pathOf(document.uri);
    if (document.isClosed || path === undefined) return;
    const { version } = document;
    const isOver = (): boolean => document.isClosed || document.version !== version;
    try {
      const data = bytesOf(document.getText());
      const found = data.length > limits.checked ? this.#tooLarge(path) : await this.#find(path, data);
      if (isOver()) return; // the change gets a check of its own
      const lines = new Lines(data);
      this.#problems.set(
        document.uri,
        found?.map((problem) => diagnosticOf(problem, lines)),
      );
    } catch (error) {
      this.#log.warn(`the check of ${path} failed: ${reasonOf(error)}`);
    }
  }

  async #find(path: string, data: Uint8Array): Promise<readonly Problem[] | undefined> {
    const desk = await this.#mailroom.desk();
    const others = async (taskId: string): Promise<readonly Uint8Array[]> => {
      const place = placeOf(path);
      if (place?.kind !== 'task') return [];
      const { found } = await this.#mailroom.look();
      const folder = await readFolder(desk, place.folder, found.tasks.get(place.folder) ?? []);
      const messages = folder.tasks.get(taskId)?.messages ?? [];
      return messages.filter((message) => message.path !== path).map((message) => message.data);
    };
    return problemsOf(desk, { path, data, others });
  }

  #tooLarge(path: string): readonly Problem[] | undefined {
    if (placeOf(path) === undefined) return undefined;
    const message = vscode.l10n.t('Not checked: the file is too large for a browser. The desktop checks it.');
    return [{ start: 0, end: 1, level: 'note', rule: '', message, page: 'web.md' }];
  }
}

function diagnosticOf({ start, end, level, rule, message, page }: Problem, lines: Lines): vscode.Diagnostic {
  const { Error, Information } = vscode.DiagnosticSeverity;
  const from = lines.position(start);
  const to = lines.position(end);
  const range = new vscode.Range(from.line, from.character, to.line, to.character);
  const diagnostic = new vscode.Diagnostic(range, message, level === 'fault' ? Error : Information);
  diagnostic.source = 'signalbox';
  if (rule !== '') diagnostic.code = { value: rule, target: vscode.Uri.parse(pages + page) };
  return diagnostic;
}
