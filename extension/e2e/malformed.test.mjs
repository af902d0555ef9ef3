// An escalation with one wrong member, as a hurried agent writes it: it alarms as
// any other, says that it is malformed, and leads to its file. Mended, it is one
// that can be answered.

import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { inScene } from './scene.mjs';
import { lockEscalation, Ssot, writeElsewhere, writeLockedTask } from './ssot.mjs';
import { act, until } from './wait.mjs';

const task = 'T-2026-044';

test(
  'an escalation that breaks a rule is announced, listed and read in its file',
  inScene(async (scene) => {
    const now = Date.now();
    const ssot = new Ssot(join(scene.workspace, '.ssot'), scene.workspace);
    const ids = writeLockedTask(ssot, task, now);
    const editor = await scene.open();
    const { page } = editor;
    await editor.openInbox();
    await until('the badge of the lock that nobody escalated', async () => (await editor.badge()) === '1');
    await editor.command('Notifications: Clear All Notifications');

    const cry = lockEscalation(ssot, task, ids, Date.now(), 'The disk is full and nothing can be written.');
    const broken = JSON.parse(cry.text);
    broken.payload.system_state_snapshot.last_successful_msg_id = null;
    broken.payload.escalation_type = 'disk_full';
    const file = join(dirname(cry.file), 'help.json');
    writeElsewhere({ file, text: JSON.stringify(broken, null, 2) });

    const toast = page.locator('.notification-toast', { hasText: `Escalation (malformed) in ${task}` });
    await toast.waitFor();
    assert.match(await toast.innerText(), /The disk is full/);
    await until('the badge', async () => (await editor.badge()) === '2');
    await scene.shot('malformed-toast-dark');
    await act(
      'the file from its notification',
      () => toast.getByRole('button', { name: 'Open' }).click({ timeout: 2_000 }),
      () => page.locator('.tab.active', { hasText: 'help.json' }).isVisible(),
    );
    await editor.command('View: Close Editor');

    const row = editor.alarmRow('Critical: Escalation (malformed)');
    await row.waitFor();
    assert.match((await row.getAttribute('aria-label')) ?? '', /The disk is full/);
    for (const theme of ['light', 'contrast', 'dark']) {
      await scene.theme(theme);
      await scene.shot(`malformed-${theme}`);
    }
    await act(
      'the file from its row',
      () => row.click(),
      () => page.locator('.tab.active', { hasText: 'help.json' }).isVisible(),
    );
    await page.locator('.squiggly-error').first().waitFor();
    await scene.shot('malformed-file-dark');
    await editor.command('View: Close Editor');
    // The keys that answer an escalation lead to the file as well.
    await editor.pane('Needs You').locator('.monaco-list').first().focus();
    await act(
      'the file by the key that answers',
      async () => {
        await row.click();
        await page.keyboard.press('r');
      },
      () => page.locator('.tab.active', { hasText: 'help.json' }).isVisible(),
    );

    writeElsewhere({ file, text: cry.text });
    await editor.alarmRow('Critical: Hallucination lock').waitFor();
    await until('the malformed one to go', async () => (await row.count()) === 0);
    await until('the badge', async () => (await editor.badge()) === '1');
  }),
);
