// Catches the text typed between a key that opens a text field and the moment the field has
// the focus. A page takes up to two seconds to come up, and until then letters would be keys
// of the list: another thread would open, and the text would be lost. So an input box, which
// is up almost at once, takes the letters and hands them over.

import * as vscode from 'vscode';
import { setContext } from './notify';
import { withBreaks } from './letterKeys';

export class TypedAhead implements vscode.Disposable {
  #box: vscode.InputBox | undefined;
  #active = false;
  /** The letters typed before the box was up, and the text of a box that is gone. */
  #text = '';
  /** The letters that were taken as text, but whose commands are still to run. */
  readonly #taken: string[] = [];
  /** The places in the box's text where Enter was pressed. */
  #breaks: number[] = [];

  dispose(): void {
    this.#box?.dispose();
  }

  /** Whether a text field is awaited, so that nothing else should take the focus. */
  get active(): boolean {
    return this.#active;
  }

  /** Whether a box takes keys, so that a selected row must not open. */
  get listening(): boolean {
    return this.#box !== undefined;
  }

  /** Takes a key of the list as text if a box is awaited. The key's commands run later. */
  pressed(letter: string): void {
    if (this.#box === undefined) return;
    this.#text += letter;
    this.#taken.push(letter);
  }

  /** Adds text that was typed in a page after the key that opens a text field. */
  add(text: string): void {
    if (this.#active) this.#text += text;
  }

  /** Reports, once, whether a key's letter was taken as text, so that its command must not run. */
  consume(letter: string): boolean {
    const at = this.#taken.indexOf(letter);
    if (at !== -1) this.#taken.splice(at, 1);
    return at !== -1;
  }

  begin(): void {
    if (this.#box !== undefined) return;
    this.#active = true;
    this.#breaks = [];
    const box = vscode.window.createInputBox();
    this.#box = box;
    box.ignoreFocusOut = true;
    box.placeholder = vscode.l10n.t('Type on: the text goes into the reply as soon as it is open');
    // The text stays in the box: emptying it would lose text that is typed meanwhile.
    box.onDidAccept(() => this.#breaks.push(box.value.length));
    // Escape closes the box, but its text is still used.
    box.onDidHide(() => this.#end(box));
    box.show();
  }

  /** Returns the text typed so far, and closes the box. Keys must have another target by now. */
  async take(): Promise<string> {
    // Events still under way from the window arrive before the answer to this.
    await setContext('signalbox.typedAhead', false);
    if (this.#box !== undefined) this.#end(this.#box);
    const text = this.#text;
    this.#text = '';
    this.#active = false;
    return text;
  }

  #end(box: vscode.InputBox): void {
    if (this.#box !== box) return;
    this.#text += withBreaks(box.value, this.#breaks);
    this.#box = undefined;
    box.dispose();
  }
}
