// What is typed between a key that asks for text and the moment the text field has the
// focus. A page takes up to two seconds to come up, and until then letters would be
// keys of the list: another thread would open, and the text would be lost. So an input
// box takes them, which is there almost at once, and hands them over.

import * as vscode from 'vscode';
import { setContext } from './notify';
import { withBreaks } from './letterKeys';

export class TypedAhead implements vscode.Disposable {
  #box: vscode.InputBox | undefined;
  #active = false;
  /** The letters before the box was up, and what was typed in a box that is gone. */
  #text = '';
  /** The letters that are text already, whose commands are still to come. */
  readonly #taken: string[] = [];
  /** Where Enter was pressed in the text of the box. */
  #breaks: number[] = [];

  dispose(): void {
    this.#box?.dispose();
  }

  /** Whether a text field is awaited, so that nothing else should take the focus. */
  get active(): boolean {
    return this.#active;
  }

  /** Whether a box takes keys, so that rows are not selected to be opened. */
  get listening(): boolean {
    return this.#box !== undefined;
  }

  /** A key of the list was pressed, before the box was up if that is awaited. Its commands follow. */
  pressed(letter: string): void {
    if (this.#box === undefined) return;
    this.#text += letter;
    this.#taken.push(letter);
  }

  /** A page says what was typed in it after a key that asks for text, before the box was up. */
  add(text: string): void {
    if (this.#active) this.#text += text;
  }

  /** Returns whether the command of a key is not to run, since its letter was taken as text. */
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
    // The text stays in the box: to empty it would lose what is typed meanwhile.
    box.onDidAccept(() => this.#breaks.push(box.value.length));
    // Escape closes the box, and takes nothing back.
    box.onDidHide(() => this.#end(box));
    box.show();
  }

  /** Returns what was typed so far, and takes no more. Keys must go elsewhere by now. */
  async take(): Promise<string> {
    // What the window still has to tell comes before the answer to this.
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
