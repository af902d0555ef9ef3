// The entry point: makes the parts and connects them to commands. Each part is
// explained in its own file.
//
// Activation (onStartupFinished) only registers. The server then starts at once
// if the badge is on: a badge that counts nothing until somebody opens the view
// is useless. With signalbox.badge "off" the server starts when the inbox, a
// thread or a hover first needs it.

import { taskProtocol } from './refs';
import { describeError } from './server/failures';
import * as vscode from 'vscode';
import { showFailure } from './views/notify';
import { join } from 'node:path';
import { Acks } from './task/acks';
import { attachFiles } from './compose/attachFiles';
import { Attachments } from './thread/attachments';
import { Server } from './server/client';
import { Composer } from './compose/compose';
import { ComposeCompletion } from './compose/completion';
import { ComposeFiles } from './compose/files';
import { ComposePreviews } from './compose/preview';
import { readConfig } from './setup/config';
import { DiffDocuments } from './thread/diffDocuments';
import { Doctor } from './setup/doctor';
import { Escalations } from './task/escalations';
import { DraftStore } from './compose/drafts';
import { goToThread } from './inbox/goToThread';
import { Hover } from './links/hover';
import { Inbox } from './inbox/inbox';
import { inboxCommands, rowRefs } from './inbox/commands';
import { Issues } from './task/issues';
import { LinkIndex } from './links/linkIndex';
import { LinkProviders } from './links/providers';
import { Mentions } from './links/mentions';
import { Notices } from './task/notices';
import { type Ref } from './protocol';
import { searchMail } from './inbox/search';
import { SettingNotes } from './setup/settingNotes';
import { setupCommands } from './setup/setup';
import { SignedDocuments } from './compose/signedDocuments';
import { StatusBar } from './inbox/statusBar';
import { openAlarm, openFile, taskCommands, type TaskParts } from './task/commands';
import { taskDocuments } from './task/document';
import { TaskViews } from './task/tabs';
import type { TextDocuments } from './views/textDocuments';
import { threadDocuments } from './thread/document';
import { Threads } from './thread/tabs';

let server: Server | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel('Signalbox', { log: true });
  const started = new Server(context.extensionPath, log);
  server = started;
  const inbox = new Inbox(started, log, context.workspaceState);
  const drafts = new DraftStore(join((context.storageUri ?? context.globalStorageUri).fsPath, 'drafts'));
  const documents = threadDocuments(started);
  const diffs = new DiffDocuments(started, log);
  const doctor = new Doctor(started);
  const previews = new ComposePreviews(started, drafts, log);
  const composer = new Composer({ server: started, drafts, log, previews }, (ref) => threads.open(ref));
  const attachments = new Attachments(started);
  const signed = new SignedDocuments(previews);
  const threads = new Threads({
    server: started,
    log,
    resources: context.extensionUri,
    setRead: (refs) => inbox.setRead(refs, true),
    openAsText: (ref, title) => documents.show(ref, title),
    openDiff: (message, tool, title) => diffs.show(message, tool, title),
    openThread: (ref) => threads.open(ref),
    titleOf: (ref) => inbox.titleOf(ref) ?? vscode.l10n.t('Thread'),
    writeMail: (ref, body) => composer.reply(ref, body),
    openFile: (message, file) => attachments.open(message, file),
    saveFile: (message, file) => attachments.save(message, file),
  });
  const tasks = taskParts(context, started, log);
  const links = new LinkIndex(started, log);
  const openMention = (ref: Ref, message: Ref | undefined): void => {
    // Tasks have a view of their own.
    if (ref.protocol === taskProtocol) tasks.views.open(message ?? ref);
    else threads.open(ref, message === undefined ? {} : { message });
  };
  context.subscriptions.push(
    log,
    started,
    inbox,
    documents,
    diffs,
    doctor,
    threads,
    attachments,
    new ComposeFiles(drafts),
    previews,
    signed,
    new ComposeCompletion(started, log),
    links,
    new Hover(links, log, openMention),
    new Mentions(links, log, openMention),
    new LinkProviders(started, links, log),
    new SettingNotes(log),
    tasks.escalations,
    tasks.views,
    tasks.documents,
    tasks.issues,
    new StatusBar(started, inbox, tasks.escalations),
    new Notices(started, log, context.globalState, (alarm) => openAlarm(alarm, tasks.views)),
    watchSettings(started, log),
  );
  const parts = {
    openMention,
    server: started,
    log,
    inbox,
    threads,
    documents,
    doctor,
    composer,
    signed,
    tasks,
  };
  registerCommands(context, parts);
  if (readConfig().badge !== 'off') started.ensure().catch(() => undefined);
}

export async function deactivate(): Promise<void> {
  await server?.stop();
  server = undefined;
}

interface Parts {
  readonly openMention: (thread: Ref, message: Ref | undefined) => void;
  readonly server: Server;
  readonly log: vscode.LogOutputChannel;
  readonly inbox: Inbox;
  readonly threads: Threads;
  readonly documents: TextDocuments;
  readonly doctor: Doctor;
  readonly composer: Composer;
  readonly signed: SignedDocuments;
  readonly tasks: TaskParts;
}

/** Makes the parts around escalations and tasks. */
function taskParts(
  context: vscode.ExtensionContext,
  server: Server,
  log: vscode.LogOutputChannel,
): TaskParts {
  const acks = new Acks(server);
  const documents = taskDocuments(server);
  const views = new TaskViews({
    server,
    log,
    resources: context.extensionUri,
    openAsText: (ref, title) => documents.show(ref, title),
    openFile,
    acknowledge: (ref, label) => acks.acknowledge(ref, label),
  });
  return {
    server,
    acks,
    documents,
    views,
    escalations: new Escalations(server, log),
    issues: new Issues(server, log),
  };
}

function registerCommands(context: vscode.ExtensionContext, parts: Parts): void {
  const { server, log, inbox, threads, documents, doctor, composer } = parts;
  // A command is about the row it was called on, the thread tab in front, or the selected row.
  const refOf = (argument: unknown): Ref | undefined =>
    argument === 'selected'
      ? inbox.selected?.ref
      : (rowRefs(argument)[0] ?? threads.active?.ref ?? inbox.selected?.ref);
  const commands: Readonly<Record<string, (argument: unknown, selection: unknown) => unknown>> = {
    newMessage: () => composer.newMessage(),
    goToThread: () => goToThread(server, log, (ref) => threads.open(ref)),
    search: () => searchMail(server, log, parts.openMention),
    openDraft: () => composer.openSaved(),
    refresh: async () => {
      await server.ensure();
      await inbox.refresh();
    },
    loadMore: () => inbox.more(),
    openThread: withRef(refOf, (ref) => threads.open(ref)),
    openSelected: () => {
      if (!inbox.held && inbox.selected !== undefined) threads.open(inbox.selected.ref);
    },
    openThreadToSide: withRef(refOf, (ref) => threads.open(ref, { beside: true })),
    replyToThread: withRef(refOf, (ref) => threads.open(ref, { focusReply: true })),
    replyInEditor: withRef(refOf, (ref) => composer.reply(ref)),
    mailAboutThread: withRef(refOf, (ref) => composer.reply(ref)),
    openThreadAsText: withRef(refOf, (ref) => documents.show(ref, titleOf(parts, ref))),
    sendDraft: () => composer.send(),
    showSigned: (argument) => parts.signed.show(argument),
    attachFiles: () => attachFiles(),
    discardDraft: () => composer.discard(),
    restartServer: () => server.restart(),
    showLog: () => log.show(),
    doctor: () => doctor.show(),
    ...setupCommands({ server, compose: (draft, name) => composer.newMessage(draft, name) }),
    ...inboxCommands({ inbox, threads }),
    ...taskCommands(parts.tasks),
  };
  for (const [name, run] of Object.entries(commands)) {
    context.subscriptions.push(
      vscode.commands.registerCommand(`signalbox.${name}`, async (argument: unknown, selection: unknown) => {
        try {
          await run(argument, selection);
        } catch (error) {
          showFailure(log, name, error);
        }
      }),
    );
  }
}

function withRef(
  refOf: (argument: unknown) => Ref | undefined,
  run: (ref: Ref) => unknown,
): (argument: unknown) => unknown {
  return (argument) => {
    const ref = refOf(argument);
    return ref === undefined ? undefined : run(ref);
  };
}

function titleOf({ inbox, threads }: Parts, ref: Ref): string {
  return inbox.titleOf(ref) ?? threads.active?.title ?? 'thread';
}

function watchSettings(server: Server, log: vscode.LogOutputChannel): vscode.Disposable {
  const tell = (): void => {
    server.settingsChanged().catch((error: unknown) => log.warn(`settings: ${describeError(error)}`));
  };
  let path = readConfig().serverPath;
  return vscode.Disposable.from(
    vscode.workspace.onDidGrantWorkspaceTrust(tell),
    vscode.workspace.onDidChangeConfiguration((event) => {
      const was = path;
      path = readConfig().serverPath;
      // The value may be overridden elsewhere, as in a remote window: then nothing changes.
      if (path !== was) {
        // The state that follows says whether the new path works.
        server.restart().catch(() => undefined);
      } else if (event.affectsConfiguration('signalbox')) {
        tell();
      }
    }),
  );
}
