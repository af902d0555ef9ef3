// "Needs You" on a busy afternoon: what stands where, and that nothing moves under a hand.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessible } from './axe.mjs';
import { busyAfternoon, clean, database, payment, push } from './busy.mjs';
import { leave, only, sideBarWidth } from './listView.mjs';
import { Office } from './office.mjs';
import { inScene } from './scene.mjs';
import { act, until } from './wait.mjs';

test(
  'a busy afternoon is seen at a glance, and nothing moves under a hand',
  inScene(async (scene, part) => {
    const began = Date.now();
    const office = new Office(scene);
    const { coder, asked } = await busyAfternoon(office, scene.workspace);
    const editor = await scene.open({ settings: { 'signalbox.notifications': 'off' } });
    await editor.openInbox();
    const { needs, page } = editor;
    await only(page, 'Needs You');
    await (await needs.row(payment)).waitFor();
    assert.equal(await needs.description(), '5 blocked, 4 questions');
    await part('who waits longest stands first', async () => {
      const said = await needs.said();
      const order = [
        'release',
        'coordinator',
        'planner',
        'coder',
        'docs',
        'reviewer',
        'planner',
        'docs',
        'release',
      ];
      assert.deepEqual(
        said.map((one) => one.split(/ |:/)[0]),
        order,
      );
      const waits = /^coder in fix\/login wants to run git push .*, waiting (\d+) minutes$/.exec(said[3]);
      const since = Number(waits?.[1]) - 12;
      assert.ok(since >= 0 && since <= Math.ceil((Date.now() - began) / 60_000), said[3]);
    });
    await part('the rows in themes and widths', () => looks(scene, needs, page));

    await part('an answered row keeps its place, and what is new waits', async () => {
      await sideBarWidth(page, 300);
      const row = await needs.press(clean, 'Allow Once');
      await row.getByText('Allowed · Undo is not possible').first().waitFor();
      assert.equal((await asked.decision()).behavior, 'allow');
      const before = await needs.places();
      await coder.asks(0, 'Bash', { command: 'npm version minor' });
      await (await needs.bar()).getByText('1 new').waitFor();
      assert.deepEqual(
        (await needs.places()).map(({ y, height }) => [y, height]),
        before.map(({ y, height }) => [y, height]),
      );
      await scene.shot('needs-rows-waits-dark');
      await leave(page);
      await until('the answered row to leave', () => needs.without(clean));
      // Nobody is at the list any more: what is new comes in below a line.
      await (await needs.row('npm version minor')).waitFor();
      await (await needs.frame()).locator('.newline').waitFor();
      await leave(page);
      await scene.shot('needs-rows-new-dark');
    });

    await part('after a key the next row opens', async () => {
      await needs.focus(editor);
      await act(
        'the request to be denied by keys',
        async () => {
          await (await needs.head('npm version minor')).focus();
          await page.keyboard.press('Space');
          await page.keyboard.press('Space');
          await until('its reason', async () => {
            await page.keyboard.press('x');
            return (await needs.row('npm version minor')).locator('.why textarea').isVisible();
          });
          await page.keyboard.type('Not yet.');
          await scene.shot('needs-rows-deny-dark');
          await page.keyboard.press('Control+Enter');
        },
        () => needs.without('npm version minor'),
      );
      await until('the next row to have the focus', async () => (await needs.focused()) !== '');
      const open = (await needs.frame()).locator('main li.row.open');
      assert.equal(await open.count(), 1);
      await scene.shot('needs-rows-next-dark');
    });

    await part('a question has its options', async () => {
      const row = await needs.open(database);
      await row.getByText('The migration touches every table.').waitFor();
      await accessible(await needs.frame(), 'Needs You');
      await sideBarWidth(page, 420);
      await leave(page);
      await scene.shot('needs-rows-question-dark');
    });
  }),
);

async function looks(scene, needs, page) {
  for (const theme of ['light', 'contrast', 'contrastLight', 'dark']) {
    await scene.theme(theme);
    for (const width of [300, 420]) {
      await sideBarWidth(page, width);
      const row = await needs.open(push);
      await until('its buttons', () => row.getByRole('button', { name: 'Allow Force Push' }).isEnabled());
      await leave(page);
      await scene.shot(`needs-rows-${width}-${theme}`);
    }
  }
}
