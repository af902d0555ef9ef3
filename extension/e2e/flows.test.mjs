// What one answers all day, by the keyboard alone, with the keys counted. The focus is in
// the list at first; text that is typed is not counted, and neither is Ctrl+Enter, which sends it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Fixture } from './fixture.mjs';
import { isLive } from './listView.mjs';
import { recordsOf } from './mail.mjs';
import { inScene } from './scene.mjs';
import { until } from './wait.mjs';

const licence = 'Which licence do we take?';

test(
  'what one does all day takes few keys',
  inScene(async (scene, part) => {
    const fixture = new Fixture(scene);
    try {
      const coder = await fixture.office.agent('coder', 'fix/login', { prompt: 'Mend the login.' });
      coder.edits('auth.ts', { added: 12, removed: 4 });
      coder.log.says('Now I run the tests.');
      fixture.office.writes('planner', 9, `${licence}\n\n- [ ] MIT\n- [ ] Apache 2.0`, 'licence');
      fixture.office.writes('docs', 5, 'What do we call it?', 'name');
      fixture.office.writes('alice', 3 * 24 * 60, 'I emptied it.', 'bucket');
      const hook = await coder.asks(12, 'Bash', { command: 'npm test' });
      await fixture.open();
      const keys = new Keys(fixture.page);

      await part('an old message is found', async () => {
        // Whenever Enter is pressed: before there are rows, while they are on their way, and after.
        for (const millis of [0, 60, 90, 120, 150, 400]) {
          await fixture.needs.focus(fixture.editor);
          keys.none();
          await keys.press('/');
          const input = fixture.page.locator('.quick-input-widget:not([inert]) input').first();
          await until('the search', () => input.evaluate((one) => one === document.activeElement));
          await fixture.page.keyboard.type('bucket', { delay: 15 });
          await fixture.page.waitForTimeout(millis);
          await keys.press('Enter');
          await fixture.editor.threadFrame('bucket');
          keys.atMost(2);
          await fixture.editor.command('View: Close All Editors');
        }
      });
      await part('a command is allowed', async () => {
        await begins(fixture, 'npm test', keys);
        const allow = await fixture.needs.button('npm test', 'Allow Once');
        await until('the button to be live', () => isLive(allow));
        await keys.press('a');
        assert.deepEqual(await hook.decision(), { behavior: 'allow' });
        keys.atMost(2);
      });
      await part('a question is answered', async () => {
        await begins(fixture, licence, keys);
        const option = await fixture.needs.button(licence, 'MIT');
        await until('the option to be live', () => isLive(option));
        await keys.press('1');
        await until('the answer on disk', () => recordsOf(scene.mail, 'bob').length === 1, 20_000);
        assert.equal(recordsOf(scene.mail, 'bob')[0].body, 'MIT');
        keys.atMost(2);
      });
      await part('one is answered in words', async () => {
        await begins(fixture, 'What do we call it?', keys);
        keys.none();
        await keys.press('r');
        await keys.says('Signalbox.', () =>
          recordsOf(scene.mail, 'bob').some(({ body }) => body === 'Signalbox.'),
        );
        keys.atMost(1);
      });
      await part('the changes of an agent are seen', async () => {
        await begins(fixture, 'coder', keys, fixture.agents);
        keys.none();
        await keys.press('c');
        await fixture.page.locator('.tab.active', { hasText: 'Changes: coder' }).waitFor();
        await fixture.page.locator('.multiDiffEntry', { hasText: 'auth.ts' }).first().waitFor();
        keys.atMost(1);
      });
      await part('an agent is written to', async () => {
        await begins(fixture, 'coder', keys, fixture.agents);
        keys.none();
        await keys.press('r');
        await keys.says('Add a test for it.', () =>
          recordsOf(scene.mail, 'bob').some(
            ({ to, body }) => to === 'coder' && body === 'Add a test for it.',
          ),
        );
        keys.atMost(1);
      });
    } finally {
      fixture.close();
    }
  }),
);

/** Presses keys and counts them. */
class Keys {
  #page;
  #pressed = [];

  constructor(page) {
    this.#page = page;
  }

  none() {
    this.#pressed = [];
  }

  async press(key) {
    this.#pressed.push(key);
    await this.#page.keyboard.press(key);
  }

  /**
   * Types a text into the box that the last key led to, and sends it, which takes five seconds in
   * which it can be taken back. Nobody is as fast as this: the box may take no Ctrl+Enter yet.
   */
  async says(text, sent) {
    await this.#page.keyboard.type(text, { delay: 15 });
    await until('the box to have the text and its button to be live', () => this.#has(text));
    await this.#page.keyboard.press('Control+Enter');
    await until('the text to be sent', sent);
  }

  async #has(text) {
    for (const frame of this.#page.frames()) {
      const form = frame.locator('form.reply, .write').filter({ has: frame.locator('textarea:focus') });
      const box = form.locator('textarea');
      if ((await box.count().catch(() => 0)) === 0 || (await box.inputValue()) !== text) continue;
      return isLive(form.getByRole('button', { name: /^Send/ }));
    }
    return false;
  }

  atMost(count) {
    assert.ok(this.#pressed.length <= count, `it took ${this.#pressed.join(', ')}`);
  }
}

/** The focus is in a list, and goes to a row. */
async function begins(fixture, words, keys, list = fixture.needs) {
  await (await list.row(words)).waitFor();
  await list.focus(fixture.editor);
  keys.none();
  await at(list, words, keys);
}

/** Leads the focus to a row. */
async function at(list, words, keys) {
  const there = async () => (await list.focused()).includes(words);
  for (let step = 0; step < 8 && !(await there()); step++) {
    await keys.press('ArrowDown');
    // A step is done at once, if it is one.
    await until('the next row', there, 300).catch(() => undefined);
  }
  assert.ok(await there(), `the focus is on "${await list.focused()}"`);
}
