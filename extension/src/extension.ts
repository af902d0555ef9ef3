// The entry point: makes the parts and connects them to commands. Each part is
// explained in its own file.
//
// Activation (onStartupFinished) registers everything. It also starts the server if
// the badge is on: a badge that counts nothing until the view is opened is useless.
// With signalbox.badge "off" the server starts when the inbox, a thread or a hover
// first needs it.

import { taskProtocol } from './refs';
import { triedBy } from './server/failureWords';
import { describeError } from './server/failures';
import * as vscode from 'vscode';
import { browserPlace } from './places';
import { Colouring } from './code/colouring';
import { coloursOf } from './code/themes';
import { showFailure } from './views/notify';
import { join } from 'node:path';
import { acknowledger } from './task/acks';
import { attachFiles } from './compose/attachFiles';
import { pickKeys } from './views/pickKeys';
import { nextStep } from './needs/next';
import { Starter } from './setup/starter';
import { cardCommands } from './thread/cardCommands';
import { Attachments } from './thread/files/attachments';
import { agentCommands } from './agents/commands';
import { makeAgentParts } from './agents/parts';
import { Server } from './server/client';
import { Composer } from './compose/compose';
import { ComposeCompletion } from './compose/completion';
import { ComposeFiles } from './compose/files';
import { ComposePreviews } from './compose/preview';
import { readConfig } from './config';
import { DiffDocuments } from './thread/changes/diffDocuments';
import { Doctor } from './setup/doctor';
import { DraftStore } from './compose/drafts';
import { allSessions, goToThread } from './inbox/goToThread';
import { Hover } from './links/hover';
import { Inbox } from './inbox/inbox';
import { Unfinished } from './thread/unfinished';
import { inboxCommands, rowRefs } from './inbox/commands';
import { Issues } from './task/issues';
import { LinkIndex } from './links/linkIndex';
import { EditLenses } from './links/editLenses';
import { LinkProviders } from './links/providers';
import { Mentions } from './links/mentions';
import { actOn, openNeed, refOf } from './needs/acts';
import { needCommands, typeToNamed, type NeedParts } from './needs/commands';
import { Needs } from './needs/needs';
import { Terminals } from './agent/terminals';
import { Notices } from './needs/notices';
import type { Question, Ref } from './protocol';
import { searchMail } from './inbox/search';
import { noteSettings } from './setup/settingNotes';
import { SetupChanges } from './setup/changes';
import { SetupProgram } from './setup/program';
import { SampleMail } from './setup/sample';
import { setupCommands } from './setup/commands';
import { startAgent } from './agents/startAgent';
import { provideTools } from './setup/tools';
import { SignedDocuments } from './compose/signedDocuments';
import { StatusBar } from './needs/statusBar';
import { suggester } from './task/suggested';
import { letterKeys, type Binding } from './views/letterKeys';
import { TypedAhead } from './views/typedAhead';
import { isRow, openFile, taskCommands, type TaskParts } from './task/commands';
import { taskDocuments } from './task/document';
import { TaskViews } from './task/tabs';
import { Tasks } from './task/tree';
import { threadDocuments } from './thread/document';
import { systemClock } from './heldBack';
import { Outbox } from './thread/foot/outbox';
import { Choosing } from './thread/reply';
import { Sessions } from './thread/sessions';
import { openNamed } from './thread/files/namedFiles';
import { RequestTabs } from './thread/requestTabs';
import { Threads } from './thread/tabs';

let server: Server | undefined;
let flush: (() => Promise<unknown>) | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel('Signalbox', { log: true });
  server = new Server(context.extensionPath, log);
  const parts = makeParts(context, server);
  flush = parts.flush;
  context.subscriptions.push(log, server, noteSettings(log), watchSettings(server), ...parts.disposables);
  registerCommands(context, parts);
  // Tools are programs installed on a machine. A browser has none.
  if (browserPlace() === undefined)
    context.subscriptions.push(...provideTools(server, parts.setup.program, versionOf(context)));
  if (readConfig().badge !== 'off') server.ensure().catch(() => undefined);
}

export async function deactivate(): Promise<void> {
  // Messages and answers that are held back for an Undo are sent before the server stops.
  await flush?.();
  await server?.stop();
  server = undefined;
}

function versionOf(context: vscode.ExtensionContext): string {
  const { version } = context.extension.packageJSON as { readonly version: string };
  return version;
}

type Parts = ReturnType<typeof makeParts>;

function makeParts(context: vscode.ExtensionContext, server: Server) {
  const resources = context.extensionUri;
  const storage = (context.storageUri ?? context.globalStorageUri).fsPath;
  const unfinished = new Unfinished();
  const ahead = new TypedAhead();
  const inbox = new Inbox(server, context.workspaceState, unfinished);
  const drafts = new DraftStore(join(storage, 'drafts'));
  const documents = threadDocuments(server);
  const diffs = new DiffDocuments(server);
  const program = new SetupProgram(server);
  const changes = new SetupChanges();
  const doctor = new Doctor(server, program, resources);
  const previews = new ComposePreviews(server, drafts);
  const composer = new Composer({
    ...{ server, drafts, previews },
    openThread: (ref) => threads.open(ref),
    answering: (threads) => unfinished.composed(threads),
  });
  const files = new ComposeFiles(drafts);
  void composer.reportDraftThreads();
  const attachments = new Attachments(server);
  const signed = new SignedDocuments(previews);
  const sessions = new Sessions(server, composer);
  const outbox = new Outbox(systemClock);
  const starter = new Starter(context.workspaceState, () => server.sample !== undefined);
  const threads: Threads = new Threads({
    ...{ server, outbox },
    terminalOf: (agent) => terminals.of(agent),
    next: (ref) => nextStep(needs.items, ref, (item) => void openNeed(needParts, item)),
    startOf: (thread, messages) => starter.of(thread, messages),
    start: (thread) => void starter.start(thread),
    resources,
    ahead,
    inFront: (thread) => {
      inbox
        .follow(thread)
        .catch((error: unknown) => server.log.warn(`inbox: follow: ${describeError(error)}`));
    },
    setRead: (refs) => inbox.actions.setRead(refs, true),
    openAsText: (ref, title) => documents.show(ref, title),
    openDiff: (message, tool, title, secrets) => diffs.show(message, tool, title, secrets),
    colouring: new Colouring(),
    themeColours: coloursOf,
    openNamed: (name, thread) => openNamed(server, name, thread),
    openThread: (ref) => threads.open(ref),
    typed: (thread, holds) => unfinished.typed(thread, holds),
    titleOf: (ref) => inbox.titleOf(ref) ?? vscode.l10n.t('Thread'),
    writeMail: (ref, body) => composer.reply(ref, body),
    openFile: (message, file) => attachments.open(message, file),
    saveFile: (message, file) => attachments.save(message, file),
    writeToAgent: (ref) => sessions.writeTo(ref),
    resume: (ref) => sessions.resume(ref),
    sendAgain: (message) => sessions.sendAgain(message),
    continueWith: (ref, text) => sessions.continueWith(ref, text),
    nudge: (alias) => typeToNamed(server, terminals, alias),
  });
  const terminals = new Terminals();
  const sendTerminals = (): void => {
    if (server.status === undefined) return;
    const shells = [...terminals.shells];
    server
      .request('signalbox/terminals/set', { shells })
      .catch((error: unknown) => server.log.debug(`terminals: ${describeError(error)}`));
  };
  const agents = makeAgentParts({
    ...{ server, resources, terminals },
    openThread: (ref) => threads.open(ref),
    continueWith: (ref, text) => sessions.continueWith(ref, text),
    front: () => threads.active,
  });
  const choosing = new Choosing(server, (thread) => inbox.actions.setRead([thread], true));
  const requests = new RequestTabs(server, resources);
  const suggest = suggester(server);
  const needs = new Needs({
    ...{ server, resources, ahead, terminals, unfinished, choosing },
    act: (item, act) => actOn(needParts, item, act),
    suggest: async ({ escalation }, index) => {
      if (escalation !== undefined) await suggest(escalation, index);
    },
    isOpen: (item) => {
      const ref = refOf(item);
      return ref !== undefined && threads.showing(ref).length > 0;
    },
  });
  unfinished.onChange = () => {
    inbox.redraw();
    needs.redraw();
  };
  const tasks = makeTaskParts(server, resources, ahead);
  const sample = new SampleMail(server, join(storage, 'sample'), () => {
    threads.closeIdle();
    tasks.views.closeIdle();
  });
  const needParts: NeedParts = {
    ...{ server, needs, terminals, threads, requests, choosing },
    views: tasks.views,
  };
  const answer = ({ thread, message }: Question, option: string): Promise<void> =>
    choosing.send(thread.ref, message, option);
  const links = new LinkIndex(server);
  const openMention = (ref: Ref, message: Ref | undefined): void => {
    // Tasks open in their own view.
    if (ref.protocol === taskProtocol) tasks.views.open(message ?? ref);
    else threads.open(ref, message === undefined ? {} : { message });
  };
  const disposables: readonly vscode.Disposable[] = [
    ...[inbox, documents, diffs, doctor, changes, threads, attachments, previews, signed, links],
    ...[ahead, terminals, needs, tasks.tree, tasks.views, tasks.documents, tasks.issues],
    ...agents.disposables,
    ...[sample, requests],
    ...[terminals.onDidChange(sendTerminals), server.onDidChangeStatus(sendTerminals)],
    ...[files, files.onDidChangeFile(() => void composer.reportDraftThreads())],
    new ComposeCompletion(server),
    new Hover(links, {
      open: openMention,
      reply: (thread, message) =>
        threads.open(thread, { focusReply: true, ...(message === undefined ? {} : { message }) }),
      needs: () => needs.items,
      answer,
      suggest,
    }),
    new Mentions(links, openMention),
    new LinkProviders(server, links),
    new EditLenses(server, (thread, message) => threads.open(thread, { message })),
    new StatusBar(server, inbox, needs),
    new Notices(server, needs, {
      memory: context.globalState,
      open: (alarm) => tasks.views.open(alarm.ref),
      openQuestion: ({ thread, message }) => threads.open(thread.ref, { message }),
      answer,
      suggest,
    }),
  ];
  const setup = { program, changes, sample, starter };
  return {
    ...{ server, ahead, inbox, threads, documents, doctor, setup, composer, sessions, signed },
    ...{ tasks, agents, needs: needParts, openMention, storage, disposables },
    flush: () => Promise.all([needs.flush(), outbox.flush()]),
  };
}

/** Returns the parts that deal with escalations and tasks. */
function makeTaskParts(server: Server, resources: vscode.Uri, ahead: TypedAhead): TaskParts {
  const acknowledge = acknowledger(server);
  const documents = taskDocuments(server);
  const openAsText = (ref: Ref, title: string): Promise<void> => documents.show(ref, title);
  const views = new TaskViews({ server, resources, ahead, openAsText, openFile, acknowledge });
  return {
    server,
    acknowledge,
    documents,
    views,
    tree: new Tasks(server),
    issues: new Issues(server),
  };
}

/** The commands that take a row of the inbox. A key of the list runs them on the selected row. */
const rowCommands: readonly string[] = ['showChanges', 'showAgentTerminal', 'openInNewWindow'];

function registerCommands(context: vscode.ExtensionContext, parts: Parts): void {
  const { server, inbox, threads, documents, doctor, composer, sessions, signed, openMention } = parts;
  // A command acts on the first there is: the row it was called on, the active thread tab, the
  // selected row.
  const refOf = (argument: unknown): Ref | undefined =>
    argument === 'selected'
      ? inbox.selected?.ref
      : (rowRefs(argument)[0] ?? threads.active?.ref ?? inbox.selected?.ref);
  const withRef =
    (run: (ref: Ref) => unknown) =>
    (argument: unknown): unknown => {
      const ref = refOf(argument);
      return ref === undefined ? undefined : run(ref);
    };
  const titleOf = (ref: Ref): string => inbox.titleOf(ref) ?? threads.active?.title ?? 'thread';
  const commands: Readonly<Record<string, (argument: unknown, selection: unknown) => unknown>> = {
    newMessage: () => composer.newMessage(),
    goToThread: () => goToThread(server, (ref) => threads.open(ref)),
    allSessions: () => allSessions(server, (ref) => threads.open(ref)),
    search: (argument) => searchMail(server, openMention, argument),
    openDraft: () => composer.openSaved(),
    refresh: async () => {
      await server.ensure();
      await inbox.refresh();
    },
    openThread: withRef((ref) => threads.open(ref)),
    openSelected: async () => {
      const row = inbox.suppressOpen || parts.ahead.listening ? undefined : await inbox.clicked();
      if (row?.kind === 'thread') threads.open(row.thread.ref);
      else if (row?.kind === 'more') await inbox.more(row.group);
    },
    openThreadToSide: withRef((ref) => threads.open(ref, { beside: true })),
    replyToThread: (argument) => {
      const ref = refOf(argument);
      if (ref !== undefined) threads.open(ref, { focusReply: true });
      else if (argument === 'selected') void parts.ahead.take();
    },
    replyInEditor: withRef((ref) => composer.reply(ref)),
    mailAboutThread: withRef((ref) => composer.reply(ref)),
    mailToAgent: withRef((ref) => sessions.writeTo(ref)),
    resumeSession: withRef((ref) => sessions.resume(ref)),
    startAgent: (row) => startAgent(server, parts.storage, isRow(row) ? row : undefined),
    openThreadAsText: withRef((ref) => documents.show(ref, titleOf(ref))),
    chooseAnswer: (number) => (threads.active ?? parts.tasks.views.active)?.choose(Number(number)),
    showKeys: () => pickKeys(),
    ...cardCommands(() => threads.active ?? parts.needs.requests.active),
    sendDraft: () => composer.send(),
    showSigned: (argument) => signed.show(argument),
    attachFiles: () => attachFiles(),
    discardDraft: () => composer.discard(),
    restartServer: () => server.restart(),
    showLog: () => server.log.show(),
    doctor: () => doctor.show(),
    ...setupCommands({ server, ...parts.setup, openThread: (ref) => threads.open(ref) }),
    ...inboxCommands({ inbox, threads }),
    ...taskCommands(parts.tasks),
    ...needCommands(parts.needs),
    ...agentCommands(parts.agents),
    ...browserPlace()?.commands,
    // The first command of a key of the list. "list.select" comes next, and the key's last
    // command lets rows open again. These first commands run in the order of their keys.
    // The last ones need not: VS Code takes longer to run a command for the first time.
    holdOpen: (key) => {
      const [view, letter = ''] = String(key).split(' ');
      inbox.suppressOpen = true;
      parts.ahead.pressed(letter);
      if (view === 'inbox' && letter === 'r') parts.ahead.begin();
    },
  };
  const { contributes } = context.extension.packageJSON as {
    readonly contributes: { readonly keybindings: readonly Binding[] };
  };
  const letterOf = letterKeys(contributes.keybindings);
  for (const [name, run] of Object.entries(commands)) {
    const runAndReport = async (argument: unknown, selection: unknown): Promise<void> => {
      const letter = letterOf(`signalbox.${name}`, argument);
      if (letter !== undefined) {
        inbox.suppressOpen = false;
        if (parts.ahead.consume(letter)) return;
      }
      const byKey = argument === 'selected' && rowCommands.includes(name);
      const target = byKey ? inbox.selectedRow : argument;
      if (byKey && target === undefined) return;
      try {
        await run(target, selection);
      } catch (error) {
        showFailure(server.log, triedBy(name), error, () => runAndReport(argument, selection));
      }
    };
    context.subscriptions.push(vscode.commands.registerCommand(`signalbox.${name}`, runAndReport));
  }
}

function watchSettings(server: Server): vscode.Disposable {
  const send = (): void => {
    server.settingsChanged().catch((error: unknown) => server.log.warn(`settings: ${describeError(error)}`));
  };
  let path = readConfig().serverPath;
  return vscode.Disposable.from(
    vscode.workspace.onDidGrantWorkspaceTrust(send),
    ...[browserPlace()?.onDidChangeSettings(send)].filter((listener) => listener !== undefined),
    vscode.workspace.onDidChangeConfiguration((event) => {
      const was = path;
      path = readConfig().serverPath;
      // Another value, such as a remote window's, may override this one. Then nothing changes.
      if (path !== was) {
        // The server's next state shows whether the new path works.
        server.restart().catch(() => undefined);
      } else if (event.affectsConfiguration('signalbox')) {
        send();
      }
    }),
  );
}
