// Issues that reviews found, as comment threads at their file and line. They
// cannot be answered there: the answer to a verdict is a message.

import { describeError } from '../server/failures';
import * as vscode from 'vscode';
import { uriOfPath } from '../places';
import type { Server } from '../server/client';
import { diffIssues, issueKey } from './issueModel';
import { type IssueItem, type Ref } from '../protocol';
import { ServerPart } from '../server/serverPart';

export class Issues extends ServerPart {
  readonly #threads = new Map<string, { readonly issue: IssueItem; readonly thread: vscode.CommentThread }>();
  /** Made when there is an issue to show: comments cost every editor a column. */
  #controller: vscode.CommentController | undefined;
  #turn = 0;

  constructor(server: Server) {
    super(server);
    this.register(
      server.onDidChange((change) => {
        if (change.kinds.includes('tasks')) void this.#refresh();
      }),
      server.onDidChangeStatus((status) => {
        if (status.ssots.length > 0 || this.#threads.size > 0) void this.#refresh();
      }),
    );
  }

  override dispose(): void {
    super.dispose();
    this.#controller?.dispose();
  }

  /** Returns the task of the comment thread in a command's argument. */
  taskOf(argument: unknown): Ref | undefined {
    return [...this.#threads.values()].find(({ thread }) => thread === argument)?.issue.task;
  }

  async #refresh(): Promise<void> {
    const turn = ++this.#turn;
    try {
      const { issues } = await this.server.request('signalbox/issue/list', {});
      if (turn === this.#turn) this.#show(issues);
    } catch (error) {
      this.log.error(`issues: ${describeError(error)}`);
    }
  }

  #show(issues: readonly IssueItem[]): void {
    const shown = [...this.#threads.values()].map(({ issue }) => issue);
    const { gone, fresh } = diffIssues(shown, issues);
    for (const issue of gone) {
      const key = issueKey(issue);
      this.#threads.get(key)?.thread.dispose();
      this.#threads.delete(key);
    }
    if (fresh.length === 0) return;
    this.#controller ??= vscode.comments.createCommentController(
      'signalbox',
      vscode.l10n.t('Signalbox Reviews'),
    );
    for (const issue of fresh)
      this.#threads.set(issueKey(issue), { issue, thread: thread(this.#controller, issue) });
  }
}

function thread(controller: vscode.CommentController, issue: IssueItem): vscode.CommentThread {
  const line = Math.max(0, issue.line - 1);
  const range = new vscode.Range(line, 0, line, 0);
  // Not trusted and without HTML, so links run no commands. The server sanitized it too.
  const body = new vscode.MarkdownString(issue.markdown);
  const made = controller.createCommentThread(uriOfPath(issue.path), range, [
    {
      body,
      mode: vscode.CommentMode.Preview,
      author: { name: vscode.l10n.t('reviewer') },
      timestamp: new Date(issue.time),
    },
  ]);
  made.canReply = false;
  made.collapsibleState = vscode.CommentThreadCollapsibleState.Collapsed;
  made.contextValue = 'verdict';
  const severity = issue.blocking ? vscode.l10n.t('{0}, blocking', issue.severity) : issue.severity;
  made.label = `${issue.taskId} · ${severity}`;
  return made;
}
