// Five hundred things that need the user. The list opens and is drawn again, for which the
// times are printed, and nothing in it moves while the pointer is in the view.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawn, watchDrawing } from './drawing.mjs';
import { leave, only } from './listView.mjs';
import { append, appendElsewhere, record } from './mail.mjs';
import { inScene } from './scene.mjs';
import { act, until } from './wait.mjs';

const count = 490;
const changes = 20;
const seconds = () => Math.floor(Date.now() / 1000);
const thread = (n) => `2026-11-20-planner-${String(n)}`;

test(
  'five hundred rows are drawn, and none moves under the pointer',
  inScene(async (scene, part) => {
    const now = seconds();
    for (let n = 1; n <= count; n++) {
      const from = `agent-${String(n % 40)}`;
      append(scene.mail, record(now - n * 60, from, 'bob', thread(n), `Is part ${String(n)} done?`));
    }
    const editor = await scene.open({ settings: { 'signalbox.notifications': 'off' } });
    const { needs, page } = editor;
    await editor.openInbox();
    await only(page, 'Needs You');
    await until('the number of all', async () => (await editor.badge()) === String(count));

    await part('the list opens', () => opens(editor));
    await part('a change is drawn', async () => {
      await drawn(await needs.frame());
      appendElsewhere(scene.mail, record(seconds(), 'late', 'bob', thread('late'), 'Is it too late?'));
      await until('the new row', async () => !(await needs.without('Is it too late?')));
      times('a change is drawn', await drawn(await needs.frame()));
    });
    await part('nothing moves while the pointer is in the view', () => staysStill(editor, scene));
  }),
);

/** The page is made anew when its view is shown again. */
async function opens({ needs, page }) {
  await watchDrawing(page);
  const header = needs.pane.locator('.pane-header');
  for (const open of ['false', 'true'])
    await act(
      `the view to be ${open === 'true' ? 'open' : 'folded'}`,
      async () => {
        if ((await header.getAttribute('aria-expanded')) !== open) await header.click();
      },
      async () => (await header.getAttribute('aria-expanded')) === open,
    );
  await leave(page);
  await until('all rows', async () => (await (await needs.rows()).count()) >= count);
  times('the list opens', await drawn(await needs.frame()));
}

/** Prints the slowest message. */
function times(what, list) {
  assert.ok(list.length > 0, `${what}: the page was told nothing`);
  const ms = (value) => `${value.toFixed(1)} ms`;
  const slowest = list.reduce((a, b) => (a.script + a.layout >= b.script + b.layout ? a : b));
  console.log(
    `e2e: ${what}, ${String(count)} rows: script ${ms(slowest.script)}, style and layout ${ms(slowest.layout)}, ` +
      `painted after ${ms(slowest.painted)}, ${ms(slowest.opened)} after the page began`,
  );
}

/** Rows come, are answered elsewhere and end; the pointer rests on a row meanwhile. */
async function staysStill({ needs }, scene) {
  await needs.hover('Is part 490 done?');
  const before = await needs.places();
  assert.ok(before.length >= count);
  for (let n = 0; n < changes; n++) {
    const at = seconds();
    const part = String(n);
    // Three of five are new, the others are answered elsewhere.
    const message =
      n % 5 < 3
        ? record(at, 'new', 'bob', thread(`new-${part}`), `Is new part ${part} done?`)
        : record(at, 'bob', `agent-${String((470 + n) % 40)}`, thread(470 + n), 'Yes.');
    appendElsewhere(scene.mail, message);
  }
  await (await needs.bar()).filter({ hasText: '12 new' }).waitFor();
  await until(
    'the number of all',
    async () => (await needs.description()) === `${String(count + 1 + 12 - 8)} questions`,
  );
  const places = ({ x, y, width, height }) => ({ x, y, width, height });
  assert.deepEqual((await needs.places()).map(places), before.map(places));
}
