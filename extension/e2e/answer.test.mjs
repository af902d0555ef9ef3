// Answers that were lost, are not finished or are not allowed, and notifications
// that are not repeated.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { writeOffice } from './mail.mjs';
import { inScene, serverBin } from './scene.mjs';
import { act, until } from './wait.mjs';

const critical = 'Stopped after 3 rejections';

test(
  'an unfinished answer survives a reload, and a lost one is sent again as the same',
  inScene(async (scene) => {
    const editor = await scene.open({ server: scene.fake('tasks') });
    const { page } = editor;
    const toasts = page.locator('.notification-toast');
    await editor.openInbox();
    await toasts.filter({ hasText: 'critical escalations: 1, overdue: 1' }).waitFor();
    await editor.command('Notifications: Clear All Notifications');

    // From the list, with the keyboard only.
    await act(
      'the row to have the focus',
      async () => (await editor.needs.head(critical)).focus({ timeout: 2_000 }),
      async () => (await editor.needs.focused()).includes(critical),
    );
    await act(
      'the form by its key',
      () => page.keyboard.press('r'),
      () => editor.taskFrame('Stopped after 3 rejections', 0),
    );
    await editor.command('View: Close Editor');
    // And from the palette, without a row.
    await editor.command('Signalbox: Answer Escalation…');
    await editor.choose(`Critical: ${critical}`);
    let frame = await editor.taskFrame('Stopped after 3 rejections');
    await until('the focus in the form', () =>
      frame
        .locator('.suggestion')
        .first()
        .evaluate((first) => first === document.activeElement),
    );
    await page.keyboard.press('Enter');
    const typed = 'Typed before the reload.';
    await frame.locator('.form textarea').fill(typed);
    await frame.locator('.preview pre', { hasText: typed }).waitFor({ state: 'attached' });

    await editor.reload(typed);
    frame = await editor.taskFrame('Stopped after 3 rejections');
    await until(
      'the unfinished answer',
      async () => (await frame.locator('.form textarea').inputValue()) === typed,
    );
    assert.ok(await frame.locator('input[value=split]').isChecked());
    await frame.locator('.preview pre', { hasText: typed }).waitFor({ state: 'attached' });
    await (await editor.needs.row(critical)).waitFor();
    assert.equal(await toasts.count(), 0, 'what was told is not told again');

    const send = frame.locator('.decide .primary');
    await send.click();
    await frame.locator('.note.error', { hasText: 'the disk went away' }).waitFor();
    assert.equal(await frame.locator('.form textarea').inputValue(), typed);
    await send.click();
    await frame.locator('.answer-given', { hasText: `${typed} (the same token)` }).waitFor();
    await frame.locator('.chip', { hasText: 'running again' }).waitFor();
    assert.equal(await toasts.count(), 0, 'nor later');
  }),
);

test(
  'nothing is answered in a workspace that is not trusted, and notifications can be turned off',
  inScene(async (scene, part) => {
    writeOffice(scene.mail, Date.now());
    const editor = await scene.open({ server: scene.fake('tasks'), trust: false });
    const { page } = editor;
    await editor.openInbox();
    const notice = page.locator('.notification-list-item', { hasText: 'critical escalations: 1' });
    await act(
      'no more of this',
      async () => {
        // On a slow machine the toast may be gone; then it is in the list.
        if ((await notice.count()) === 0) await editor.command('Notifications: Show Notifications');
        await notice.first().hover();
        await notice.first().getByRole('button', { name: "Don't Show Again" }).click({ timeout: 2_000 });
      },
      () =>
        readFileSync(join(scene.dir, 'editor/data/User/settings.json'), 'utf8').includes(
          '"signalbox.notifications": "off"',
        ),
    );
    const frame = await editor.openAlarm(critical, 'Stopped after 3 rejections');
    await frame.locator('.decide .note', { hasText: 'not trusted' }).waitFor();
    for (const control of [
      '.form textarea',
      '.suggestion',
      'input[value=approve]',
      '.decide .primary',
      '.acknowledge',
    ])
      assert.equal(await frame.locator(control).first().isEnabled(), false, control);
    await scene.shot('answer-untrusted-dark');
    const whole = page.viewportSize();
    await page.setViewportSize({ width: 560, height: 800 });
    await editor.command('View: Toggle Primary Side Bar Visibility');
    await scene.shot('escalation-narrow');
    await page.setViewportSize(whole);
    await editor.command('View: Toggle Primary Side Bar Visibility');
    await part('a workspace that is not trusted only reads', () => onlyReads(editor, scene));
  }),
);

async function onlyReads(editor, scene) {
  const { page } = editor;
  await scene.use(serverBin);
  await editor.row('release-1.4').waitFor();
  await page.locator('.pane-body .message', { hasText: 'not trusted' }).first().waitFor();
  const frame = await editor.openThread('release-1.4');
  await frame.locator('article').first().waitFor();
  await until('the reply box to say why', async () =>
    /trust/i.test((await frame.locator('.reply .note').textContent()) ?? ''),
  );
  assert.equal(await frame.locator('.reply textarea').isEnabled(), false);
  await scene.shot('untrusted-dark');
}
