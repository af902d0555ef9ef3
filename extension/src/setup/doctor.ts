// "Signalbox: Doctor": what the server sees, where each setting came from and which
// agents' programs are set up, as a page with buttons in each row, or as text.

import * as vscode from 'vscode';
import { uriOfPath } from '../places';
import type { Server } from '../server/client';
import { whyWords } from '../server/failureWords';
import type { CommonMessage } from '../views/messages';
import { ReadOnlyDocuments } from '../views/readOnlyDocuments';
import { View } from '../views/view';
import { settingProblems } from '../config';
import type { FromDoctor, ToDoctor } from './doctorMessages';
import { doctorAsMarkdown, doctorSections, type DoctorSection, type Step } from './doctorModel';
import { doctorWords, type DoctorWords } from './words';
import type { State } from './facts';
import type { SetupProgram } from './program';

export class Doctor extends ReadOnlyDocuments {
  readonly #server: Server;
  readonly #setup: SetupProgram;
  readonly #resources: vscode.Uri;
  #view: DoctorView | undefined;

  /** `resources` is the extension's own folder. */
  constructor(server: Server, setup: SetupProgram, resources: vscode.Uri) {
    super('signalbox-doctor');
    this.#server = server;
    this.#setup = setup;
    this.#resources = resources;
  }

  override dispose(): void {
    this.#view?.dispose();
    super.dispose();
  }

  /** Checks again and shows the results, in the open tab if there is one. */
  show(): void {
    if (this.#view !== undefined) {
      this.#view.show();
      return;
    }
    const title = vscode.l10n.t('Signalbox Doctor');
    const panel = vscode.window.createWebviewPanel('signalbox.doctor', title, vscode.ViewColumn.Active);
    this.#view = new DoctorView(this, this.#server, this.#resources, panel, () => {
      this.#view = undefined;
    });
  }

  /** Opens the report as text. */
  async showText(): Promise<void> {
    const uri = this.uri(`${vscode.l10n.t('Signalbox Doctor')}.md`);
    this.changed(uri);
    await this.open(uri);
  }

  override async provideTextDocumentContent(): Promise<string> {
    return doctorAsMarkdown(await this.report(), vscode.l10n.t);
  }

  /** Returns the current results. Without a server they say why there is none. */
  async report(): Promise<readonly DoctorSection[]> {
    const server = this.#server;
    let problem = '';
    try {
      await server.refreshStatus();
    } catch (error) {
      problem = server.problem || whyWords(error, vscode.l10n.t);
    }
    const facts = {
      editor: `VS Code ${vscode.version}, ${process.platform} ${process.arch}`,
      trusted: vscode.workspace.isTrusted,
      command: server.command,
      problem,
      status: server.status,
      settings: settingProblems(),
      agents: server.program === '' ? '' : await this.#agents(),
    };
    return doctorSections(facts, vscode.l10n.t);
  }

  async #agents(): Promise<readonly State[] | string> {
    try {
      return await this.#setup.check();
    } catch (error) {
      return whyWords(error, vscode.l10n.t);
    }
  }
}

class DoctorView extends View<DoctorWords, Exclude<FromDoctor, CommonMessage>, ToDoctor> {
  readonly #doctor: Doctor;
  #sections: readonly DoctorSection[] = [];
  #turn = 0;

  constructor(
    doctor: Doctor,
    server: Server,
    resources: vscode.Uri,
    panel: vscode.WebviewPanel,
    onDispose: () => void,
  ) {
    super({ server, resources, page: 'doctor', words: doctorWords }, panel, onDispose);
    this.#doctor = doctor;
    const file = (shade: string): vscode.Uri =>
      vscode.Uri.joinPath(resources, 'resources', `task-${shade}.svg`);
    panel.iconPath = { light: file('light'), dark: file('dark') };
  }

  show(): void {
    this.panel.reveal();
    if (this.ready) void this.load();
  }

  protected override begin(): Promise<void> {
    return this.load();
  }

  protected override async load(): Promise<void> {
    const turn = ++this.#turn;
    this.post({ type: 'looking' });
    const sections = await this.#doctor.report();
    if (turn !== this.#turn) return;
    this.#sections = sections;
    this.post({ type: 'report', sections });
  }

  protected override openAsText(): Promise<void> {
    return this.#doctor.showText();
  }

  /** Runs the action of a button. The page sends only the button's place, so it cannot choose the action. */
  protected override async receive(message: Exclude<FromDoctor, CommonMessage>): Promise<void> {
    const step = this.#sections[message.section]?.rows[message.row]?.steps[message.step];
    if (step === undefined) return;
    await this.tell('other', () => run(step));
    if (!('file' in step)) await this.load();
  }
}

async function run(step: Step): Promise<void> {
  if ('file' in step) await vscode.window.showTextDocument(uriOfPath(step.file), { preview: true });
  else await vscode.commands.executeCommand(step.command, step.argument);
}
