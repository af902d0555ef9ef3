// The box under a thread: what it says in each state of its agent, what its button does, and
// what becomes of what was sent.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessible } from './axe.mjs';
import { only } from './listView.mjs';
import { appendElsewhere, record, recordsOf } from './mail.mjs';
import { Office } from './office.mjs';
import { inScene } from './scene.mjs';
import { until } from './wait.mjs';

const now = () => Math.floor(Date.now() / 1000);
const push = 'git push --force-with-lease origin fix/login';

test(
  'the box under a thread says where the text goes, and what became of it',
  inScene(async (scene, part) => {
    const office = new Office(scene);
    try {
      const coder = await office.agent('coder', 'fix/login', {
        prompt: 'Compare passwords in constant time.',
      });
      const docs = await office.agent('docs', 'docs/api', { prompt: 'Write the docs of the interface.' });
      coder.log.says('Rebased on main. 212 tests pass.');
      const editor = await scene.open();
      const { page } = editor;
      await editor.openInbox();
      await only(page, 'Inbox'); // all of its rows are in sight
      for (const branch of ['fix/login', 'docs/api']) await editor.openGroup(branch);
      const frame = await editor.openThread('Compare passwords in constant time.');
      const box = frame.locator('form.reply textarea');
      const note = frame.locator('form.reply .target');
      const send = frame.locator('form.reply button[type=submit]');
      const says = (words) => note.filter({ hasText: words }).waitFor();

      await part('of an agent at work', async () => {
        await says(/^Working( for \d+m)?\. Reaches it at its next step\.$/);
        assert.equal(await send.textContent(), 'Send at Next Step');
        assert.ok(await send.isDisabled(), 'an empty text is not sent');
        await box.fill('Use timingSafeEqual, and add a test for two different lengths.');
        await pictures(scene, 'footer-working');
        await accessible(frame, 'the box of an agent at work');
      });

      await part('what is sent is held back, comes back, and is followed', async () => {
        const count = recordsOf(scene.mail, 'bob').length;
        const trace = frame.locator('.trace[role=status]');
        await box.press('Control+Enter');
        await trace.filter({ hasText: 'Sent: “Use timingSafeEqual' }).waitFor();
        assert.equal(await box.inputValue(), '');
        await scene.shot('footer-held-dark');
        await trace.getByRole('button', { name: 'Undo' }).click();
        await until('the text to be back', async () => (await box.inputValue()).startsWith('Use timingSafe'));
        assert.equal(recordsOf(scene.mail, 'bob').length, count, 'nothing was sent');
        await box.press('Control+Enter');
        await until('the message', () => recordsOf(scene.mail, 'bob').length === count + 1);
        await trace.filter({ hasText: 'Waits for coder’s next step, since' }).waitFor();
        await pictures(scene, 'footer-waits');
      });

      await part('of one that wants to run a command: it can only deny', async () => {
        await coder.asks(12, 'Bash', { command: push });
        await frame.locator('.request', { hasText: push }).waitFor();
        await says('Denies the command; coder reads why and goes on.');
        assert.equal(await send.textContent(), 'Deny and Tell coder');
        await until('the button', () => frame.getByRole('button', { name: /^Allow/ }).isEnabled());
        await pictures(scene, 'footer-permission');
        await accessible(frame, 'a request above the box');
        // With a red risk the key only gives the button the focus.
        await box.press('Alt+a');
        await until('the focus on the button', () =>
          frame.evaluate(() => document.activeElement?.textContent?.startsWith('Allow Force Push')),
        );
        assert.equal(await frame.locator('.request').count(), 1);
        await page.keyboard.press('Alt+x');
        await frame.locator('.asks .over', { hasText: 'Denied here' }).waitFor();
      });

      await part('a question of a message is answered above the box', async () => {
        const text =
          'Which database do we keep?\n\n- [ ] Keep Postgres 14\n- [ ] Move to Postgres 17 now\n- [ ] Move after the release';
        appendElsewhere(scene.mail, record(now(), 'planner', 'bob', 'sessions', text));
        await editor.row('sessions').waitFor();
        const asks = await editor.openThread('sessions');
        await asks.locator('.request .opt').nth(2).waitFor();
        await asks.locator('form.reply .target', { hasText: 'Alt+1 to Alt+3 send an option.' }).waitFor();
        await pictures(scene, 'footer-question');
        await accessible(asks, 'a question above the box');
      });

      await part('keys, and the dialog that shows them', async () => {
        const asks = await editor.threadFrame('sessions');
        await asks.locator('form.reply textarea').focus();
        await page.keyboard.press('Escape');
        await until('the focus in the messages', () =>
          asks.evaluate(() => document.activeElement?.tagName === 'ARTICLE'),
        );
        await page.keyboard.press('?');
        const dialog = asks.locator('dialog.keys');
        await dialog.getByText('Answer with an option').first().waitFor();
        await pictures(scene, 'footer-keys');
        await accessible(asks, 'the keys');
        await page.keyboard.press('Escape');
        await until('the dialog to close', async () => (await dialog.count()) === 0);
        await page.keyboard.press('3');
        await asks.locator('.trace', { hasText: 'Sent: “Move after the release”' }).waitFor();
        await page.keyboard.press('r');
        await page.keyboard.type('and more');
        await until(
          'the box',
          async () => (await asks.locator('form.reply textarea').inputValue()) === 'and more',
        );
        await asks.locator('form.reply textarea').fill('');
      });

      await part('of one that has ended, while something was typed', async () => {
        const of = await editor.openThread('Write the docs of the interface.');
        await of.locator('form.reply .target', { hasText: 'Reaches it at its next step' }).waitFor();
        await of.locator('form.reply textarea').fill('Keep the old anchors, please.');
        await docs.ends(0);
        await of
          .locator('form.reply .target', { hasText: 'docs ended meanwhile. Your text is kept.' })
          .waitFor();
        assert.equal(await of.locator('form.reply textarea').inputValue(), 'Keep the old anchors, please.');
        await of.locator('form.reply button[type=submit]', { hasText: 'Continue Here…' }).waitFor();
        await pictures(scene, 'footer-meanwhile');
        await of.locator('form.reply textarea').fill('');
        await of.locator('form.reply .target code', { hasText: /^claude --resume .+ "…"$/ }).waitFor();
        await pictures(scene, 'footer-ended');
      });
    } finally {
      office.close();
    }
  }),
);

async function pictures(scene, name) {
  for (const theme of ['light', 'dark']) {
    await scene.theme(theme);
    await scene.shot(`${name}-${theme}`);
  }
}
