// An agent is stuck: its escalation is announced, seen, answered and
// acknowledged in a real editor, and what is written is right on disk.

import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { inScene } from './scene.mjs';
import {
  hostileText,
  lockEscalation,
  overdueDispatch,
  Ssot,
  writeElsewhere,
  writeLockedTask,
} from './ssot.mjs';
import { hoverShows } from './hover.mjs';
import { act, until } from './wait.mjs';

const invalid = join(dirname(fileURLToPath(import.meta.url)), '../../testdata/agn/invalid');
const locked = 'T-2026-044';
const late = 'T-2026-045';

test(
  'an escalation is announced, seen, answered and acknowledged',
  inScene(async (scene) => {
    const now = Date.now();
    scene.file('engine.ts', 'class Engine {\n  start() {\n    session.start();\n  }\n}\n');
    const ssot = new Ssot(join(scene.workspace, '.ssot'), scene.workspace);
    const ids = writeLockedTask(ssot, locked, now);
    ssot.write(overdueDispatch(ssot, late, now - 12 * 60_000), false);
    const editor = await scene.open();
    const { page } = editor;
    await editor.openInbox();
    // The lock that nobody escalated, and the dispatch that nobody acknowledged.
    await until('the badge of what is overdue', async () => (await editor.badge()) === '2');
    await page.locator('.notification-toast', { hasText: 'overdue: 2' }).waitFor();
    await editor.command('Notifications: Clear All Notifications');
    await lockCanBeAnswered(editor);

    const escalation = lockEscalation(
      ssot,
      locked,
      ids,
      Date.now(),
      `Three rejections in a row. ${hostileText}`,
    );
    writeElsewhere(escalation);
    await isAnnounced(editor, scene);
    await isListed(editor, scene);
    const frame = await isShown(editor, scene);
    await isAcknowledged(editor, scene, frame, ssot, escalation.id);
    await isSuggested(editor, scene, ssot, escalation.id);
    await isAnswered(editor, scene, ssot, escalation.id);
    await stateIsResumed(editor, scene, escalation.id);
    await othersAreListed(editor, scene, ssot);
    await issuesAreAtTheCode(editor, scene);
  }),
);

/** A lock that nobody escalated is answered at the verdict that locked. */
async function lockCanBeAnswered(editor) {
  const frame = await editor.openAlarm('Stopped after 3 rejections', locked);
  await frame.locator('.form').waitFor();
  await frame.locator('input[value=approve]').check();
  await frame
    .locator('.preview pre', { hasText: `"msg_id": "review_verdict-${locked}` })
    .waitFor({ state: 'attached' });
  await editor.command('View: Close Editor');
}

async function isAnnounced(editor, scene) {
  const { page } = editor;
  const toast = page.locator('.notification-toast', { hasText: `Stopped after 3 rejections in ${locked}` });
  await toast.waitFor();
  const text = await toast.innerText();
  assert.match(text, /Suspended: .*coordinator/);
  assert.equal(await toast.locator('.notification-list-item-message a').count(), 0, 'no link in it');
  // The escalation replaced the unreported lock.
  await until('the badge', async () => (await editor.badge()) === '2');
  await page.locator('.statusbar-item', { hasText: '2' }).first().waitFor();
  await toast.getByRole('button', { name: 'Split', exact: true }).waitFor();
  await scene.shot('alarm-dark');
  await act(
    'the escalation from its notification',
    () => toast.getByRole('button', { name: 'Open' }).click({ timeout: 2_000 }),
    async () => (await toast.count()) === 0,
  );
  await editor.taskFrame('Stopped after 3 rejections');
}

async function isListed(editor, scene) {
  const head = await editor.needs.head('Stopped after 3 rejections');
  await head.waitFor();
  assert.match(await head.innerText(), /coordinator[^]*stops 3/);
  assert.match(
    await editor.needs.sentence('Stopped after 3 rejections'),
    /executor.* are stopped until you answer/,
  );
  await (await editor.needs.row('Has not confirmed Write the')).waitFor();
  await scene.shot('escalations-dark');
}

async function isShown(editor, scene) {
  const { page } = editor;
  const frame = await editor.openAlarm('Stopped after 3 rejections', 'Stopped after 3 rejections');
  assert.match(await frame.locator('h1').innerText(), /Critical: Stopped after 3 rejections/);
  const reason = frame.locator('.titleline + .description');
  assert.notEqual(await reason.innerText(), '', 'the reason stands directly under the title');
  await frame.locator('.suspended', { hasText: 'They wait for your answer' }).waitFor();
  const suspended = await frame.locator('.suspended').innerText();
  for (const who of ['coordinator', 'executor', 'reviewer']) assert.match(suspended, new RegExp(who));
  // Three rounds of four messages, less two dispatches, and the escalation.
  await until('the timeline', async () => (await frame.locator('.event').count()) === 11);
  assert.deepEqual(await frame.locator('.lanes.names span').allTextContents(), [
    'admin',
    'coordinator',
    'executor',
    'reviewer',
  ]);
  assert.equal(await frame.locator('.event .arrow').count(), 11);
  assert.ok((await frame.locator('.event .ack.acknowledged').count()) >= 10);
  assert.match(await frame.locator('.astext pre').textContent(), /coordinator.*executor/);
  assert.equal(await frame.locator('.suggestion').count(), 3);

  await hostileIsText(editor, frame);

  // A mention leads to its step of the timeline; one that is not there is no link.
  await frame.locator('.mentions .link', { hasText: 'dispatch' }).first().click();
  await frame.locator('.event[open]', { hasText: 'Rebuild the timing' }).waitFor();
  assert.equal(await frame.locator('.mentions li', { hasText: 'T-2020-001' }).locator('button').count(), 0);
  await frame.locator('.event[open] > summary').click();
  await frame.locator('.scroll').evaluate((scroll) => scroll.scrollTo(0, 0));
  await page.mouse.move(900, 780);
  for (const theme of ['light', 'contrast', 'dark']) {
    await scene.theme(theme);
    await scene.shot(`escalation-${theme}`);
  }
  await shotOf(editor, scene, frame, '.timeline', 'timeline');
  return frame;
}

/** Pictures of a part of the page in all themes, and in a narrow window. */
async function shotOf(editor, scene, frame, part, name) {
  const show = () => frame.locator(part).evaluate((element) => element.scrollIntoView({ block: 'start' }));
  for (const theme of ['light', 'contrast', 'dark']) {
    await scene.theme(theme);
    await show();
    await scene.shot(`${name}-${theme}`);
  }
  const size = editor.page.viewportSize();
  await editor.page.setViewportSize({ width: 720, height: 800 });
  await show();
  await scene.shot(`${name}-narrow`);
  await editor.page.setViewportSize(size);
}

async function hostileIsText(editor, frame) {
  assert.equal(await frame.locator('main').locator('script, img, iframe, [onerror]').count(), 0);
  const hrefs = await frame.locator('main a').evaluateAll((links) => links.map((link) => link.href));
  assert.deepEqual(
    hrefs.filter((href) => href !== '' && !href.startsWith('https://')),
    [],
  );
  const text = await frame.locator('.description').innerText();
  assert.match(text, /⟨U\+202E⟩/);
  assert.ok(!/[\u202a-\u202e\u2066-\u2069]/.test(await frame.locator('main').innerText()));
  assert.notEqual(await editor.page.title(), 'owned');
}

async function isAcknowledged(editor, scene, frame, ssot, id) {
  const { page } = editor;
  const dialog = page.locator('.monaco-dialog-box');
  await act(
    'the question before an ACK',
    () => frame.locator('.acknowledge').click({ timeout: 2_000 }),
    () => dialog.isVisible(),
  );
  assert.match(await dialog.innerText(), /writes one file/);
  assert.match(await dialog.innerText(), /It cannot be undone/);
  await scene.shot('acknowledge-dark');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  assert.equal(ssot.record('acks', id), undefined, 'nothing is written without a yes');
  await act(
    'the question again',
    () => frame.locator('.acknowledge').click({ timeout: 2_000 }),
    () => dialog.isVisible(),
  );
  await dialog.getByRole('button', { name: 'Acknowledge' }).click();
  const ack = await until('the ACK on disk', () => ssot.record('acks', id));
  assert.equal(ack.format, 'signalbox-ack/1');
  assert.equal(ack.msg_id, id);
  assert.equal(ack.by, 'admin');
  await until('the button to go', async () => (await frame.locator('.acknowledge').count()) === 0);
  const offered = await editor.needs.button('Stopped after 3 rejections', 'Acknowledge…');
  await until('the row to know it', async () => (await offered.count()) === 0);
}

/** A hover offers the suggested actions too, and asks before it writes. */
async function isSuggested(editor, scene, ssot, id) {
  const { page } = editor;
  scene.file('notes.md', `See ${id}.\n`);
  await editor.openFile('notes.md');
  const dialog = page.locator('.monaco-dialog-box');
  await act(
    'the question before an answer',
    async () => {
      await hoverShows(page, id, 'Split: Split the task');
      await page
        .locator('.monaco-hover:visible a', { hasText: 'Split: Split the task' })
        .first()
        .click({ timeout: 2_000 });
    },
    () => dialog.isVisible(),
  );
  assert.match(await dialog.innerText(), /Split the task into smaller subtasks[^]*cannot be undone/);
  await scene.shot('suggested-dark');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  assert.equal(ssot.record('resumes', id), undefined, 'nothing is written without a yes');
  await editor.command('View: Close Editor');
}

async function isAnswered(editor, scene, ssot, id) {
  const { page } = editor;
  const frame = await editor.taskFrame('Stopped after 3 rejections');
  const send = frame.getByRole('button', { name: 'Send Answer' });
  assert.ok(await send.isVisible(), 'what sends stays in sight');
  await frame.getByRole('button', { name: 'Choose a Decision' }).waitFor();
  assert.equal(await send.isEnabled(), false, 'nothing can be sent before a decision');
  const before = ssot.records('resumes').length;
  const box = frame.locator('.form textarea');
  const offered = frame.locator('.suggestion');
  assert.match(await offered.first().innerText(), /Alt\+1|⌥1/);
  const splits = (await offered.allInnerTexts()).findIndex((text) => text.includes('smaller subtasks'));
  // The key fills the form in, as the button does.
  await act(
    'the suggestion by its key',
    () =>
      frame
        .locator('h1')
        .click()
        .then(() => page.keyboard.press(`Alt+${splits + 1}`)),
    () => frame.locator('input[value=split]').isChecked(),
  );
  assert.equal(await box.inputValue(), 'Split the task into smaller subtasks and dispatch them again');
  await frame.getByRole('button', { name: 'Decision: Split' }).waitFor();
  const preview = frame.locator('.preview');
  await preview.locator('summary', { hasText: 'Details' }).click();
  await preview.locator('pre', { hasText: '"action": "split"' }).waitFor();
  assert.match(await preview.innerText(), /resumes/);
  assert.equal(ssot.records('resumes').length, before, 'choosing a suggestion writes nothing');
  // A redirect without a text cannot be sent, and the preview says so.
  await frame.locator('input[value=redirect]').check();
  await box.fill('');
  await preview.locator('.remark.error').waitFor();
  assert.equal(await send.isEnabled(), false);
  await frame.locator('input[value=split]').check();
  await box.fill('Split it: first hold the session, "then" the background. Übung.');
  await preview.locator('pre', { hasText: 'first hold the session' }).waitFor();
  for (const theme of ['light', 'contrast', 'dark']) {
    await scene.theme(theme);
    await frame.locator('.form').evaluate((form) => form.scrollIntoView({ block: 'start' }));
    await scene.shot(`answer-${theme}`);
  }
  const promised = await preview.locator('pre').textContent();
  await box.press('Control+Enter');
  const resume = await until('the answer on disk', () => ssot.record('resumes', id));
  assert.equal(resume.format, 'signalbox-resume/1');
  assert.equal(resume.msg_id, id);
  assert.equal(resume.action, 'split');
  assert.equal(resume.by, 'admin');
  assert.equal(resume.text, 'Split it: first hold the session, "then" the background. Übung.');
  assert.equal(JSON.parse(promised).text, resume.text, 'what was promised was written');
  assert.equal(ssot.records('resumes').length, 1);
  await page.mouse.move(900, 780);
}

async function stateIsResumed(editor, scene, id) {
  const frame = await editor.taskFrame('Stopped after 3 rejections');
  await frame.locator('.answer-given', { hasText: 'Split' }).waitFor();
  await frame.locator('.chip', { hasText: 'running again' }).waitFor();
  assert.equal(await frame.locator('.form').isVisible(), false);
  assert.equal(await frame.locator('.suspended').count(), 0);
  await frame.locator('.event .arrow.double').waitFor();
  await scene.shot('resumed-dark');
  await (await editor.taskRow('Answered (1)')).waitFor();
  await until('the badge to fall', async () => (await editor.badge()) === '1');
  assert.ok(id.startsWith('escalation-'));
}

async function othersAreListed(editor, scene, ssot) {
  const { page } = editor;
  copyFileSync(join(invalid, 'D3-branch-master.json'), join(ssot.dir, 'messages', 'D3-branch-master.json'));
  const [refused, all] = [await editor.taskRow('Rejected (1)'), await editor.taskRow('Tasks (')];
  await refused.waitFor();
  const [fault, task] = [await editor.taskRow('D3'), await editor.taskRow(`${late} Write the release notes`)];
  await act(
    'the rejected message',
    () => refused.click(),
    () => fault.isVisible(),
  );
  await act(
    'all tasks',
    () => all.click(),
    () => task.isVisible(),
  );
  await scene.shot('escalations-groups-dark');
  for (const theme of ['light', 'contrast', 'dark']) {
    await scene.theme(theme);
    await scene.shot(`escalations-groups-${theme}`);
  }
  // What is overdue leads to its message in the task.
  const frame = await editor.openAlarm('Has not confirmed', late);
  await frame.locator('.event[open] .id').waitFor();
  await frame.locator('.event .ack.overdue').waitFor();
  assert.equal(await frame.locator('.form').isVisible(), false, 'nothing is to be answered there');
  await scene.shot('task-dark');
  await frame.locator('.event[open] .link', { hasText: 'Open file' }).click();
  await page.locator('.tab.active', { hasText: `task_dispatch-${late}` }).waitFor();
  await page.locator('.view-line', { hasText: '"protocol_version"' }).first().waitFor();
  await editor.command('View: Close Editor');
  await editor.taskFrame(late);
  await editor.command('Signalbox: Open Task as Text');
  await page.locator('.tab.active', { hasText: '.txt' }).waitFor();
  await page.locator('.view-line', { hasText: 'dispatch' }).first().waitFor();
  await scene.shot('task-text-dark');
}

async function issuesAreAtTheCode(editor, scene) {
  const { page } = editor;
  await editor.openFile('engine.ts');
  const comment = page.locator('.review-widget', { hasText: 'No reference to the session' });
  await act(
    'the comment',
    async () => {
      await page.locator('.monaco-editor .view-line').first().click({ timeout: 2_000 });
      await page.keyboard.press('Alt+F9');
    },
    () => comment.isVisible(),
  );
  const text = await comment.innerText();
  assert.match(text, new RegExp(locked));
  assert.match(text, /critical, blocking/);
  assert.match(text, /reviewer/);
  assert.match(text, /⟨U\+202E⟩/);
  assert.equal(await comment.locator('.comment-body img, .comment-body script').count(), 0);
  const hrefs = await comment
    .locator('.comment-body a')
    .evaluateAll((links) => links.map((link) => link.dataset.href ?? link.href));
  assert.deepEqual(
    hrefs.filter((href) => !href.startsWith('https://')),
    [],
  );
  await scene.shot('comment-dark');
  await act(
    'the task of the comment',
    () => comment.getByRole('button', { name: 'Open Task' }).click({ timeout: 2_000 }),
    () => editor.taskFrame(locked, 0),
  );
}
