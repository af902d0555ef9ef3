// The part of an open row of "Agents" below its head: the agent's last message, the files that
// it changed, the buttons with words, and the box for a message to the agent.

import type { AgentAct, AgentRow, RowFile } from '../../agents/model';
import type { AgentsWords } from '../../agents/words';
import { fill } from '../../fill';
import type { Failure } from '../../server/failureWords';
import { actTool, keyOf, linesElement } from './agentRow';
import { deadMillis, element } from '../dom';
import { setDead, wordButton } from '../list/listRow';
import { safeFragment } from '../safeHtml';

/** The page's side of the part. */
export interface MoreHost {
  readonly words: AgentsWords;
  press(act: AgentAct): void;
  file(path: string): void;
  send(text: string): void;
  /** Saves the typed text, or undefined once the box is closed. */
  typed(text: string | undefined): void;
}

/** The most files that are listed. The rest is counted. */
const maxFiles = 12;

export class AgentMore {
  readonly root = element('div', { class: 'more' });
  readonly #host: MoreHost;
  readonly #lastMessage = element('div', { class: 'said' });
  readonly #files = element('ul', { class: 'files' });
  readonly #acts = element('div', { class: 'acts' });
  readonly #result = element('p', { class: 'meta', attributes: { role: 'status' } });
  readonly #form = element('div', { class: 'write' });
  readonly #box: HTMLTextAreaElement;
  readonly #note = element('span', { class: 'note' });
  #send: HTMLButtonElement | undefined;
  #row: AgentRow;
  #sending = false;
  #timer = 0;
  #whole: { readonly html: string; readonly files: readonly RowFile[] } = { html: '', files: [] };

  constructor(host: MoreHost, row: AgentRow) {
    this.#host = host;
    this.#row = row;
    this.#box = element('textarea', {
      class: 'box',
      attributes: {
        rows: '1',
        dir: 'auto',
        'aria-label': fill(host.words.messageTo, row.name),
        placeholder: fill(host.words.box, row.name),
      },
    });
    this.#box.addEventListener('input', () => {
      host.typed(this.#box.value);
      this.#updateButton();
    });
    this.#form.hidden = true;
    this.#result.hidden = true;
    this.#lastMessage.hidden = true;
    this.#files.hidden = true;
    this.root.append(this.#lastMessage, this.#files, this.#result, this.#form, this.#acts);
    this.#draw();
  }

  /** Shows the current row. The typed text stays. */
  update(row: AgentRow): void {
    const before = this.#row;
    this.#row = row;
    if (before.reach !== row.reach || before.acts.join(' ') !== row.acts.join(' ')) this.#draw();
  }

  /** Shows the last message and the files, which only an open row has. */
  fill(html: string, files: readonly RowFile[]): void {
    if (this.#whole.html === html && JSON.stringify(this.#whole.files) === JSON.stringify(files)) return;
    this.#whole = { html, files };
    this.#lastMessage.replaceChildren(safeFragment(html, document));
    this.#lastMessage.hidden = html === '';
    this.#showFiles(files);
  }

  /** Opens the box, with the text that was typed before. */
  write(text?: string, focus = true): void {
    if (!this.#mayWrite) return;
    this.#showForm(true);
    this.#result.hidden = true;
    if (text !== undefined && this.#box.value === '') this.#box.value = text;
    this.#updateButton();
    if (focus) this.#box.focus();
    this.root.scrollIntoView({ block: 'nearest' });
  }

  /** Presses the button of the box. Returns false if the box is closed. */
  sendNow(): boolean {
    if (this.#form.hidden || this.#send === undefined) return false;
    this.#send.click();
    return true;
  }

  /** Shows the outcome of the text that was sent, and closes the box. */
  sent(words: string): void {
    this.#sending = false;
    this.#box.value = '';
    this.#showForm(false);
    this.#host.typed(undefined);
    this.#showResult(words);
  }

  /** Shows why the text was not sent. The text stays. */
  failed({ text }: Failure): void {
    this.#sending = false;
    this.#showResult(text);
    this.#updateButton();
  }

  /** Opens or closes the box. An open box has the main button. */
  #showForm(shown: boolean): void {
    this.#form.hidden = !shown;
    this.#acts.classList.toggle('beside', shown);
  }

  get #mayWrite(): boolean {
    const { acts, reach } = this.#row;
    return reach !== undefined && (acts.includes('message') || acts.includes('continue'));
  }

  #showResult(text: string): void {
    this.#result.textContent = text;
    this.#result.hidden = text === '';
  }

  #draw(): void {
    const { acts, name, reach } = this.#row;
    const { words } = this.#host;
    const tools = element('span', { class: 'tools' });
    const large: HTMLElement[] = [];
    for (const act of acts) {
      if (act === 'terminal' || act === 'window') {
        const made = actTool(act, words, name, () => this.#host.press(act));
        made.tabIndex = 0;
        tools.append(made);
        continue;
      }
      const key = keyOf(act, words);
      const look = { class: large.length === 0 ? 'main' : '', key, shortcut: key.toLowerCase() };
      large.push(wordButton(words.acts[act], look, () => this.#host.press(act)));
    }
    this.#acts.replaceChildren(...large, tools);
    this.#acts.hidden = acts.length === 0;
    if (reach === undefined || !this.#mayWrite) {
      this.#showForm(false);
      return;
    }
    const { button, note } = words.reach[reach];
    const changed = this.#send !== undefined && this.#send.firstChild?.textContent !== button;
    this.#note.textContent = note;
    this.#send = wordButton(button, { class: 'main', key: words.sendKey, shortcut: 'Control+Enter' }, () =>
      this.#sendText(),
    );
    this.#form.replaceChildren(this.#box, element('div', { class: 'bar' }, this.#note, this.#send));
    if (changed && !this.#form.hidden) this.#pause();
    this.#updateButton();
  }

  /** Disables the button for a moment: a click was meant for its previous label. */
  #pause(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = 0;
      this.#updateButton();
    }, deadMillis);
  }

  #updateButton(): void {
    if (this.#send === undefined) return;
    setDead(this.#send, this.#sending || this.#timer !== 0 || this.#box.value.trim() === '');
  }

  #sendText(): void {
    const text = this.#box.value.trim();
    if (text === '' || this.#sending) return;
    this.#sending = true;
    this.#showResult(this.#host.words.sending);
    this.#updateButton();
    this.#host.send(text);
  }

  #showFiles(files: readonly RowFile[]): void {
    const { words } = this.#host;
    this.#files.hidden = files.length === 0;
    this.#files.setAttribute('aria-label', words.files);
    const shown = files.slice(0, maxFiles).map((file) => {
      const link = element('button', {
        class: 'file',
        title: fill(words.showFile, file.path),
        attributes: { type: 'button' },
      });
      link.append(element('span', { text: file.path, attributes: { dir: 'auto' } }), linesElement(file));
      link.addEventListener('click', () => this.#host.file(file.path));
      return element('li', {}, link);
    });
    const more = files.length - shown.length;
    if (more > 0) shown.push(element('li', { class: 'dim', text: fill(words.moreFiles, String(more)) }));
    this.#files.replaceChildren(...shown);
  }
}
