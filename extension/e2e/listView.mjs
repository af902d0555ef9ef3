// A view of the side bar that is a page: "Needs You" or "Agents". Both are built alike:
// main › section › h3 › button, and ul › li › button[aria-expanded] with what is below it.

import { act, until } from './wait.mjs';

export class ListView {
  #page;
  #name;

  /** name: of the view, as its header and its page have it. */
  constructor(page, name) {
    this.#page = page;
    this.#name = name;
  }

  /** The part of the side bar that the view stands in. */
  get pane() {
    return this.#page
      .locator('.sidebar .pane')
      .filter({ has: this.#page.locator(`.pane-header[aria-label^="${this.#name}"]`) });
  }

  /** What the header says beside the name: "5 blocked, 4 questions". */
  async description() {
    const said = this.pane.locator('.pane-header .description');
    return (await said.count()) === 0 ? '' : ((await said.first().textContent()) ?? '');
  }

  /** The frame of the page, once it is there. VS Code makes a new one whenever the view is shown again. */
  frame(millis) {
    return until(`the page of ${this.#name}`, () => this.#shown(), millis);
  }

  async #shown() {
    for (const frame of this.#page.frames()) {
      const main = frame.locator(`main[aria-label="${this.#name}"]`);
      if ((await main.count().catch(() => 0)) > 0 && (await main.first().isVisible())) return frame;
    }
    return undefined;
  }

  /** All rows, or those whose name for a screen reader has these words in it. */
  async rows(words = '') {
    const frame = await this.frame();
    const all = frame.locator('main li.row');
    return words === '' ? all : all.filter({ has: frame.locator('.head > .sr', { hasText: words }) });
  }

  /** The first row with these words. It need not be there yet. */
  async row(words) {
    return (await this.rows(words)).first();
  }

  /** The upper part of a row, which has the focus of the row and opens it. */
  async head(words) {
    return (await this.row(words)).locator('> button[aria-expanded]');
  }

  /** Whether no row has these words any more. */
  async without(words) {
    return (await (await this.rows(words)).count()) === 0;
  }

  /** Opens a row by a click. Returns it. */
  async open(words) {
    const row = await this.row(words);
    const head = row.locator('> button[aria-expanded]');
    const opened = async () => (await head.getAttribute('aria-expanded', { timeout: 2_000 })) === 'true';
    await act(
      `the row ${words} to be open`,
      async () => {
        if (!(await opened())) await head.click({ timeout: 2_000 });
      },
      opened,
    );
    return row;
  }

  /** What opens what a row stands for, as Editor.openThread wants it: Enter on its upper part. */
  opener(words) {
    return {
      click: async () => {
        const head = await this.head(words);
        await head.focus({ timeout: 2_000 });
        await head.press('Enter', { timeout: 2_000 });
      },
    };
  }

  /** A button in the open row with these words; both may be none yet. */
  async button(words, name) {
    return (await this.row(words)).getByRole('button', { name, exact: true });
  }

  /** Opens a row and presses a button in it, which is dead for a moment after it appeared. */
  async press(words, name) {
    const row = await this.open(words);
    const button = row.getByRole('button', { name, exact: true });
    await until(`${name} to take clicks`, () => isLive(button));
    await button.click();
    return row;
  }

  /** The heading that folds and unfolds a section. */
  async section(name) {
    return (await this.frame()).locator('main section h3 > button', { hasText: name }).first();
  }

  /** Folds or unfolds a section. */
  async fold(name, open) {
    const button = await this.section(name);
    await act(
      `${name} to be ${open ? 'open' : 'folded'}`,
      async () => {
        if ((await button.getAttribute('aria-expanded')) !== String(open))
          await button.click({ timeout: 2_000 });
      },
      async () => (await button.getAttribute('aria-expanded')) === String(open),
    );
  }

  /** The bar over the list's end, while rows wait there. */
  async bar() {
    return (await this.frame()).locator('.newbar');
  }

  /** Puts the focus on the list, as the command does. */
  async focus(editor) {
    await act(
      `the focus in ${this.#name}`,
      () => editor.command(`Signalbox: Focus on ${this.#name} View`),
      async () =>
        (await this.frame()).evaluate(
          () => document.hasFocus() && document.activeElement?.closest('main') !== null,
        ),
    );
  }

  /** What the focus is on, as a screen reader says it. */
  async focused() {
    return (await this.frame()).evaluate(() => {
      const at = document.activeElement;
      const said = at?.querySelector(':scope > .sr') ?? at;
      return (at?.getAttribute('aria-label') ?? said?.textContent ?? '').trim();
    });
  }

  /** What a screen reader says of the first row with these words. */
  async sentence(words) {
    return (await this.row(words)).locator('> .head > .sr').textContent();
  }

  /** What a screen reader says of each row, in order. */
  async said() {
    const frame = await this.frame();
    return frame.locator('main li.row > .head > .sr').evaluateAll((all) => all.map((one) => one.textContent));
  }

  /** Where each row is, by its name: what must not change under the pointer. */
  async places() {
    const frame = await this.frame();
    return frame.locator('main li.row').evaluateAll((all) =>
      all.map((one) => {
        const { x, y, width, height } = one.getBoundingClientRect();
        return { row: one.querySelector('.sr').textContent, x, y, width, height };
      }),
    );
  }

  /** Moves the pointer over a row's upper part, without a click. */
  async hover(words) {
    await (await this.head(words)).hover();
  }
}

/** Whether a button takes clicks: it is there, not disabled, and not dead for a moment. */
export async function isLive(button) {
  return (
    (await button.count()) > 0 &&
    (await button.isEnabled()) &&
    (await button.getAttribute('aria-disabled')) !== 'true'
  );
}

/** Takes the pointer out of every view of the side bar. */
export async function leave(page) {
  const { width, height } = page.viewportSize();
  await page.mouse.move(Math.round(width * 0.75), height - 20);
}

/** Makes the side bar this many pixels wide, by its edge. */
export async function sideBarWidth(page, pixels) {
  const bar = page.locator('.part.sidebar');
  const width = async () => Math.round((await bar.boundingBox()).width);
  await act(
    `a side bar of ${pixels} px`,
    async () => {
      const { x, width: now } = await bar.boundingBox();
      const { height } = page.viewportSize();
      if (Math.round(now) === pixels) return;
      await page.mouse.move(x + now, height / 2);
      await page.mouse.down();
      await page.mouse.move(x + pixels, height / 2, { steps: 4 });
      await page.mouse.up();
    },
    async () => (await width()) === pixels,
  );
  await leave(page);
}

/** Folds the other views of the side bar, so that these have all the room. */
export async function only(page, ...names) {
  const headers = page.locator('.sidebar .pane-header');
  for (let i = 0; i < (await headers.count()); i++) {
    const header = headers.nth(i);
    const label = (await header.getAttribute('aria-label')) ?? '';
    const open = String(names.some((name) => label.startsWith(name)));
    await act(
      `the view "${label}"`,
      async () => {
        if ((await header.getAttribute('aria-expanded')) !== open)
          await header.click({ position: { x: 60, y: 8 }, timeout: 2_000 });
      },
      async () => (await header.getAttribute('aria-expanded')) === open,
    );
  }
  await leave(page);
}

/** Does something with the window at twice its size, as 200 % zoom has it: half as much fits in. */
export async function atTwiceTheSize(page, run) {
  const { width, height } = page.viewportSize();
  await page.setViewportSize({ width: width / 2, height: height / 2 });
  try {
    return await run();
  } finally {
    await page.setViewportSize({ width, height });
  }
}
