// "Try with Sample Mail": the program's own demo, written into the extension's storage
// and opened in place of the user's mail until they leave it or close the window.

import { rmSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import * as vscode from 'vscode';
import { ServerPart } from '../server/serverPart';
import type { Server } from '../server/client';
import { setContext } from '../views/notify';
import { runProgram } from './program';
import { samplePlace } from '../server/samplePlace';

export class SampleMail extends ServerPart {
  readonly #folder: string;
  readonly #closeTabs: () => void;
  readonly #item: vscode.StatusBarItem;

  /** `folder` is emptied: it must hold only the sample. `closeTabs` closes tabs in which nothing is typed. */
  constructor(server: Server, folder: string, closeTabs: () => void) {
    super(server);
    this.#folder = folder;
    this.#closeTabs = closeTabs;
    this.#item = vscode.window.createStatusBarItem('signalbox.sample', vscode.StatusBarAlignment.Left, 11);
    this.#item.name = vscode.l10n.t('Signalbox: sample mail');
    this.#item.text = `$(beaker) ${vscode.l10n.t('Sample Mail: Leave')}`;
    this.#item.tooltip = vscode.l10n.t('This is sample mail, not yours. Click to go back to your own.');
    this.#item.backgroundColor = new vscode.ThemeColor('statusBarItem.warningBackground');
    this.#item.command = 'signalbox.leaveSample';
    this.register(this.#item);
  }

  /** Deletes the sample with the window. */
  override dispose(): void {
    if (this.server.sample !== undefined) rmSync(this.#folder, { recursive: true, force: true });
    super.dispose();
  }

  /** Writes the sample anew and shows it. */
  async enter(): Promise<void> {
    await this.server.ensure();
    const place = samplePlace(this.#folder);
    const location = { viewId: 'signalbox.inboxView' };
    await vscode.window.withProgress({ location }, async () => {
      await rm(this.#folder, { recursive: true, force: true });
      await mkdir(this.#folder, { recursive: true });
      const { stderr, failed } = await runProgram(this.server.program, ['demo', place.mail], {
        cwd: this.#folder,
        env: place.env,
      });
      if (failed) throw new Error(stderr);
      if (stderr !== '') this.log.warn(`sample: ${stderr}`);
      this.#closeTabs();
      await this.server.useSample(place);
    });
    this.#item.show();
    await setContext('signalbox.sample', true);
    await vscode.commands.executeCommand('signalbox.inboxView.focus');
  }

  /** Shows the user's own mail again, and deletes the sample. */
  async leave(): Promise<void> {
    if (this.server.sample === undefined) return;
    this.#item.hide();
    await setContext('signalbox.sample', false);
    this.#closeTabs();
    await this.server.useSample(undefined);
    await rm(this.#folder, { recursive: true, force: true });
  }
}
