// A task with more steps than fit a page.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { inScene } from './scene.mjs';
import { overdueDispatch, Ssot, writeElsewhere } from './ssot.mjs';
import { until } from './wait.mjs';

const late = 'T-2026-045';

test(
  'the timeline of a long task comes in pages',
  inScene(async (scene) => {
    const ssot = new Ssot(join(scene.workspace, '.ssot'), scene.workspace);
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
    const editor = await scene.open();
    await editor.openInbox();
    const frame = await editor.openAlarm('Warning: Conflict', 'Conflict');
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
    const again = await editor.openAlarm('Warning: Conflict', 'Conflict');
    await again.locator('.mentions .link').click();
    await again.locator('.event[open]', { hasText: 'Write the release notes' }).waitFor();
    await scene.shot('timeline-long-dark');
  }),
);

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
