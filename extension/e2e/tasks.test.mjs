// An escalation with one wrong member, as a hurried agent writes it: it alarms as
// any other, says that it is malformed, shows what can be read of it, and leads to its
// file. Mended, it is one
// that can be answered. And a task with more steps than fit a page.

import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { leave } from './listView.mjs';
import { inScene } from './scene.mjs';
import { lockEscalation, overdueDispatch, Ssot, writeElsewhere, writeLockedTask } from './ssot.mjs';
import { act, until } from './wait.mjs';

const task = 'T-2026-044';
const late = 'T-2026-045';

test(
  'an escalation that breaks a rule is announced, listed and read',
  inScene(async (scene, part) => {
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
    const view = await act(
      'what it says, from its notification',
      () => toast.getByRole('button', { name: 'Open' }).click({ timeout: 2_000 }),
      () => editor.taskFrame('Escalation (malformed)', 0),
    );
    await view.locator('.description', { hasText: 'The disk is full' }).waitFor();
    await view.locator('.suggested li').first().waitFor();
    await view.locator('.line', { hasText: 'cannot be answered' }).waitFor();
    assert.equal(await view.locator('.form textarea').isVisible(), false, 'nobody can answer it');
    await scene.shot('malformed-page-dark');
    await editor.command('View: Close Editor');

    const malformed = 'Escalation (malformed)';
    const head = await editor.needs.head(malformed);
    await head.waitFor();
    assert.match(await editor.needs.sentence(malformed), /The disk is full/);
    for (const theme of ['light', 'contrast', 'dark']) {
      await scene.theme(theme);
      await scene.shot(`malformed-${theme}`);
    }
    await act(
      'its file, from its row',
      async () => (await editor.needs.press(malformed, 'Open File')) !== undefined,
      () => page.locator('.tab.active', { hasText: 'help.json' }).isVisible(),
    );
    await page.locator('.squiggly-error').first().waitFor();
    await scene.shot('malformed-file-dark');
    await editor.command('View: Close Editor');

    writeElsewhere({ file, text: cry.text });
    await (await editor.needs.row('Stopped after 3 rejections')).waitFor();
    await leave(page);
    await until('the malformed one to go', () => editor.needs.without(malformed));
    await until('the badge', async () => (await editor.badge()) === '1');
    await part('the timeline of a long task comes in pages', () => timeline(editor, scene, ssot));
  }),
);

async function timeline(editor, scene, ssot) {
  const start = Date.now() - 20 * 60_000;
  const dispatch = overdueDispatch(ssot, late, start);
  ssot.write(dispatch);
  const results = 70;
  for (let index = 1; index <= results; index++) {
    const payload = {
      subtask_id: `${late}-S1`,
      completion_status: 'partial',
      diff_summary: { files_changed: [`notes${index}.md`], lines_added: index, lines_removed: 0 },
      self_assessment: { criteria_met: [null], notes: [`part ${index}`] },
      work_log: [],
      blockers: ['more to write'],
    };
    ssot.write(ssot.message('task_result', late, start + index * 10_000, payload));
  }
  const alarm = ssot.message('escalation', late, Date.now(), {
    escalation_type: 'conflict',
    severity: 'warning',
    triggered_by: 'executor',
    description: 'The notes never end.',
    affected_msgs: [dispatch.id],
    system_state_snapshot: { task_status: 'in work', reject_count: 0, last_successful_msg_id: dispatch.id },
    auto_suspended: true,
  });
  ssot.write(alarm, false);
  const frame = await editor.openAlarm('Conflict', 'Conflict');
  const events = frame.locator('.event');
  const all = results + 2;
  await until('the first page', async () => (await events.count()) === 50);
  await frame.locator('.older').click();
  await until('all steps', async () => (await events.count()) === all);
  assert.equal(await frame.locator('.older').isVisible(), false);
  // New steps are added to the fetched ones.
  writeElsewhere(ssot.message('task_result', late, Date.now(), wholeResult(late)));
  await until('the new step', async () => (await events.count()) === all + 1);

  // A mention leads to a step that is older than the fetched ones.
  await editor.command('View: Close Editor');
  const again = await editor.openAlarm('Conflict', 'Conflict');
  await again.locator('.mentions .link').click();
  await again.locator('.event[open]', { hasText: 'Write the release notes' }).waitFor();
  await scene.shot('timeline-long-dark');
}

/** What a result says that ends a subtask. */
function wholeResult(task) {
  return {
    subtask_id: `${task}-S1`,
    completion_status: 'complete',
    diff_summary: { files_changed: ['notes.md'], lines_added: 1, lines_removed: 0 },
    self_assessment: { criteria_met: [true], notes: ['done'] },
    work_log: [],
  };
}
