// The window of the boards: the busy afternoon in a VS Code, at the widths and in the themes
// of the design.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { leave, only, sideBarWidth } from './listView.mjs';
import { Office } from './office.mjs';
import { shots } from './scene.mjs';
import { act, until } from './wait.mjs';

/** Pictures of boards go here. */
export const boardShots = join(shots, 'boards');

export class Fixture {
  #theme;

  constructor(scene) {
    this.scene = scene;
    mkdirSync(join(scene.dir, 'editor/home'), { recursive: true });
    this.office = new Office(scene);
    mkdirSync(boardShots, { recursive: true });
  }

  /** Opens VS Code over the office. */
  async open(theme = 'dark', settings = {}) {
    this.#theme = theme;
    this.editor = await this.scene.open({
      theme,
      settings: {
        'signalbox.notifications': 'off',
        'terminal.integrated.shellIntegration.enabled': false,
        ...settings,
      },
    });
    this.page = this.editor.page;
    await this.editor.openInbox();
    await this.editor.command('Notifications: Clear All Notifications');
    return this.editor;
  }

  get needs() {
    return this.editor.needs;
  }

  get agents() {
    return this.editor.agents;
  }

  async theme(theme) {
    if (theme !== this.#theme) await this.scene.theme(theme);
    this.#theme = theme;
  }

  /** Makes the side bar this wide, in a window of a height that shows a board. */
  async size(width, height = 800) {
    await this.page.setViewportSize({ width: 1280, height });
    await sideBarWidth(this.page, width);
  }

  /** Makes the editor this wide, with the side bar where it is. */
  async editorWidth(width) {
    const { x } = await this.page.locator('.part.editor').boundingBox();
    await this.page.setViewportSize({ width: Math.round(x) + width, height: 800 });
  }

  /** A picture of a part of the window. */
  async picture(name, part = '.part.sidebar') {
    const path = join(boardShots, `${name}.png`);
    await this.page.locator(part).first().screenshot({ path, animations: 'disabled' });
  }

  /** Opens one row, and closes the others, as the pointer does that leaves the view. */
  async openOnly(words) {
    if ((await this.needs.pane.locator('.pane-header').getAttribute('aria-expanded')) !== 'true')
      await only(this.page, 'Needs You');
    await this.needs.open(words);
    await leave(this.page);
    await this.only(words);
  }

  /**
   * Has something happen while the view is away: what is new stands in its place in the order
   * then, and waits below no bar.
   */
  async meanwhile(happens) {
    const header = this.needs.pane.locator('.pane-header');
    const folded = (open) =>
      act(
        `the view to be ${open ? 'open' : 'folded'}`,
        async () => {
          if ((await header.getAttribute('aria-expanded')) !== String(open))
            await header.click({ position: { x: 60, y: 8 } });
        },
        async () => (await header.getAttribute('aria-expanded')) === String(open),
      );
    await folded(false);
    await happens();
    await folded(true);
    await leave(this.page);
  }

  /** Waits until no other row than this one is open. */
  async only(words) {
    await until(`only ${words} to be open`, async () => {
      const open = (await this.needs.frame()).locator('main li.row > button[aria-expanded="true"]');
      return (await open.count()) === 1 && ((await open.textContent()) ?? '').includes(words);
    });
  }

  /** Goes to a thread by its title. Returns its frame. */
  async goTo(title, shown = title) {
    const input = this.page.locator('.quick-input-widget:not([inert]) input').first();
    const row = this.page.locator('.quick-input-widget .monaco-list-row.focused', { hasText: title });
    return act(
      `the thread ${title}`,
      async () => {
        if (!(await input.isVisible())) await this.editor.command('Signalbox: Go to Thread…');
        if ((await input.inputValue({ timeout: 2_000 })) !== title)
          await input.fill(title, { timeout: 2_000 });
        await row.waitFor({ timeout: 4_000 });
        await input.press('Enter');
      },
      () => this.editor.threadFrame(shown, 0),
    );
  }

  /** Ends what the office started. */
  close() {
    this.office.close();
  }
}
