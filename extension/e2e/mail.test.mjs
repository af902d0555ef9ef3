// The main job, in a real editor: mail that others write is seen, read and
// answered, and what is written is right on disk.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { append, appendElsewhere, hostileBody, record, recordsOf, sampId, writeOffice } from './mail.mjs';
import { hoverOver, hoverShows } from './hover.mjs';
import { inScene } from './scene.mjs';
import { act, until } from './wait.mjs';

const now = () => Math.floor(Date.now() / 1000);
const parser = '2026-11-20-planner-split-the-parser';

test(
  'mail is seen, read and answered',
  inScene(async (scene) => {
    const office = writeOffice(scene.mail, Date.now());
    scene.file('notes.md', `# Notes\n\nThe plan is in ${office.plan.id}.\n`);
    scene.file('commit.md', 'Nothing is in 0123456789abcdef.\n');
    scene.file('main.go', `package main\n\n// Decided in ${office.plan.id}.\nfunc main() {}\n`);
    const editor = await scene.open({ settings: { 'signalbox.trace.server': 'messages' } });
    const { page } = editor;
    await editor.openInbox();
    await editor.row('release-1.4').waitFor();
    await widen(page);

    await badgeRises(editor, scene);
    await threadShows(editor, scene, office);
    await replyBoxSends(editor, scene);
    await threadUpdates(editor, scene);
    await optionAnswers(editor, scene);
    await composeSends(editor, scene);
    await hoversShow(editor, scene, office);
    await hostileIsHarmless(editor, scene);
    await textShows(editor, scene);
    assert.ok(editor.page.url().startsWith('http://127.0.0.1:'));
  }),
);

/** Gives the side bar the width a user with long thread names gives it. */
async function widen(page) {
  const side = page.locator('.part.sidebar');
  const { x, width } = await side.boundingBox();
  await act(
    'a wider side bar',
    async () => {
      await page.mouse.move(await sashAt(page, x + (await side.boundingBox()).width), 400);
      await page.mouse.down();
      await page.mouse.move(x + width + 90, 400, { steps: 4 });
      await page.mouse.up();
    },
    async () => (await side.boundingBox()).width > width + 50,
  );
  await page.mouse.move(x + width + 300, 500);
}

/** The middle of the draggable edge that is nearest to a place. */
async function sashAt(page, place) {
  const middles = await page
    .locator('.monaco-sash.vertical')
    .evaluateAll((all) =>
      all.map((sash) => sash.getBoundingClientRect()).map(({ x, width }) => x + width / 2),
    );
  return middles.reduce((best, middle) =>
    Math.abs(middle - place) < Math.abs(best - place) ? middle : best,
  );
}

async function badgeRises(editor, scene) {
  const before = Number(await until('a badge', () => editor.badge()));
  const started = Date.now();
  appendElsewhere(scene.mail, record(now(), 'dora', 'bob', 'deploy-window', 'May I deploy at **four**?'));
  await until('the badge to rise', async () => Number(await editor.badge()) === before + 1);
  console.log(`append to badge: ${Date.now() - started} ms, starting the other process included`);
  await editor.row('deploy-window').waitFor();
  await scene.shot('inbox-dark');
  await scene.theme('light');
  await scene.shot('inbox-light');
  await scene.theme('dark');
  const frame = await editor.openThread('deploy-window');
  await frame.locator('article', { hasText: 'May I deploy at four?' }).waitFor();
  assert.equal(await frame.locator('.body strong').first().textContent(), 'four');
  await isRead(editor, 'deploy-window');
  // A question waits until it is answered.
  assert.equal(Number(await editor.badge()), before + 1);
  const box = frame.locator('.reply textarea');
  await box.fill('At four.');
  await box.press('Control+Enter');
  await until('the badge to fall', async () => Number(await editor.badge()) === before);
}

/** Waits until a row has no number of unread messages at its end. */
async function isRead(editor, title) {
  await until(
    `${title} to be read`,
    async () => !/\s\d+\s*$/.test((await editor.row(title).innerText()).trim()),
  );
}

/** Code has the colours of VS Code's default dark theme, and its lines wrap when asked to. */
async function codeShows(frame) {
  const colourOf = (kind) =>
    frame
      .locator(`.code .code-${kind}`)
      .first()
      .evaluate((element) => window.getComputedStyle(element).color);
  await frame.locator('.code .code-keyword', { hasText: 'for' }).first().waitFor();
  const theme = { keyword: 'rgb(197, 134, 192)', function: 'rgb(220, 220, 170)' };
  for (const [kind, colour] of Object.entries(theme))
    await until(`the theme's colour of a ${kind}`, async () => (await colourOf(kind)) === colour);
  const wrap = frame.getByRole('button', { name: 'Wrap' }).first();
  await wrap.focus();
  await wrap.press('Enter');
  await frame.locator('.code.wrapped').waitFor();
  await wrap.press('Enter');
  assert.equal(await frame.locator('.code.wrapped').count(), 0);
}

async function threadShows(editor, scene, office) {
  const { page } = editor;
  const frame = await editor.openThread(parser);
  await frame.locator('article').nth(2).waitFor();
  const spoken = await frame.locator('article .from').allTextContents();
  assert.deepEqual(spoken, ['planner', 'You', 'planner']);
  assert.match(await frame.locator('article').first().textContent(), /Split the parser/);
  const link = frame.locator('.body a[href]').first();
  assert.equal(await link.getAttribute('href'), 'https://example.com/design/parser');
  // What is as it should be stands in a tooltip.
  assert.ok(await frame.locator('.facts .trust').isHidden());
  assert.match(await frame.locator('.facts > span').first().getAttribute('title'), /id matches/);
  // Opened by the user: read, and the number at the row's end goes away.
  await isRead(editor, parser);
  await codeShows(frame);
  await frame.locator('.code').first().hover();
  await frame.locator('.code .copy').first().click();
  await frame.locator('.copy', { hasText: 'Copied' }).waitFor();
  await page.mouse.move(900, 780);
  await scene.shot('thread-dark');
  for (const theme of ['light', 'contrast']) {
    await scene.theme(theme);
    await scene.shot(`thread-${theme}`);
  }
  await scene.theme('dark');
  assert.ok(office.plan.id.length === 16);
}

async function replyBoxSends(editor, scene) {
  const frame = await editor.threadFrame(parser);
  const box = frame.locator('.reply textarea');
  await until('the reply box to open', () => box.isEnabled());
  assert.match(await frame.locator('.target').textContent(), /bob → planner/);
  const count = recordsOf(scene.mail, 'bob').length;
  await box.click();
  await editor.page.keyboard.type('I take the double report. Übung "macht" \\ den Meister.');
  await editor.page.keyboard.press('Control+Enter');
  await frame.locator('article.mine', { hasText: 'I take the double report' }).waitFor();
  await until('the box to be empty', async () => (await box.inputValue()) === '');
  const sent = recordsOf(scene.mail, 'bob').slice(count);
  assert.equal(sent.length, 1);
  assert.equal(sent[0].to, 'planner');
  assert.equal(sent[0].thread, parser);
  assert.equal(sent[0].body, 'I take the double report. Übung "macht" \\ den Meister.');
  assert.equal(sent[0].id, sampId(sent[0]));
}

async function threadUpdates(editor, scene) {
  const frame = await editor.threadFrame(parser);
  appendElsewhere(scene.mail, record(now(), 'planner', 'bob', parser, 'Good. Then I look at the benchmark.'));
  await frame.locator('article', { hasText: 'Then I look at the benchmark' }).waitFor();
}

/** A question's options stand above the box with their keys, and one answers it; what is typed stays. */
async function optionAnswers(editor, scene) {
  const frame = await editor.threadFrame(parser);
  const question = 'Which licence do we take?\n\n- [ ] MIT\n- [ ] Apache 2.0';
  appendElsewhere(scene.mail, record(now(), 'planner', 'bob', parser, question));
  const asked = frame.locator('.request', { hasText: 'Which licence do we take?' });
  await asked.locator('.opt', { hasText: 'Apache 2.0' }).waitFor();
  // They stand once: in the message they are text.
  assert.equal(await frame.locator('article button', { hasText: 'Apache 2.0' }).count(), 0);
  const box = frame.locator('.reply textarea');
  await box.fill('Half a thought');
  await scene.shot('question-dark');
  await scene.theme('light');
  await scene.shot('question-light');
  await scene.theme('dark');
  const count = recordsOf(scene.mail, 'bob').length;
  // By its key, while one types.
  await until('the options to be ready', () => asked.locator('.opt').first().isEnabled());
  await box.press('Alt+2');
  const trace = frame.locator('.trace');
  await trace.filter({ hasText: 'Sent: “Apache 2.0”' }).waitFor();
  assert.equal(await frame.locator('.request').count(), 0);
  // It is held back for some seconds, and taken back: the question stands there again.
  await trace.getByRole('button', { name: 'Undo' }).click();
  await asked.waitFor();
  await until('the options to be ready', () => asked.locator('.opt').first().isEnabled());
  assert.equal(recordsOf(scene.mail, 'bob').length, count);
  await box.press('Alt+2');
  const sent = await until('the answer', () => {
    const records = recordsOf(scene.mail, 'bob').slice(count);
    return records.length > 0 && records;
  });
  assert.equal(await frame.locator('.request').count(), 0);
  assert.deepEqual(
    sent.map(({ to, thread, body }) => [to, thread, body]),
    [['planner', parser, 'Apache 2.0']],
  );
  assert.equal(await box.inputValue(), 'Half a thought');
  await box.fill('');
}

async function composeSends(editor, scene) {
  const { page } = editor;
  const count = recordsOf(scene.mail, 'bob').length;
  await editor.command('Signalbox: New Message');
  await page.locator('.tab.active', { hasText: 'New message' }).waitFor();
  // The recipients come up by themselves.
  await page.locator('.suggest-widget.visible .monaco-list-row', { hasText: 'carol' }).waitFor();
  await scene.shot('compose-completion-dark');
  await page.keyboard.type('carol');
  await page.locator('.suggest-widget.visible .monaco-list-row.focused', { hasText: 'carol' }).waitFor();
  await page.keyboard.press('Enter');
  await page.locator('.view-line', { hasText: 'To: carol' }).waitFor();
  await page.locator('.codelens-decoration', { hasText: 'Add a recipient and a text' }).waitFor();
  assert.equal(await page.locator('.squiggly-error').count(), 0, 'nothing is wrong before sending was tried');
  await page.keyboard.press('Control+Enter');
  await page.locator('.notification-toast', { hasText: 'Not sent' }).waitFor();
  await page.locator('.squiggly-error').first().waitFor();
  assert.equal(recordsOf(scene.mail, 'bob').length, count, 'nothing is written when sending fails');
  await page.locator('.tab.active', { hasText: 'New message' }).waitFor();
  await editor.command('Notifications: Clear All Notifications');
  await page.locator('.view-line', { hasText: 'To: carol' }).click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('The changelog is in the branch.\n\n- fixes `first`\n- **features** after that');
  await page.locator('.codelens-decoration', { hasText: 'Send as bob' }).waitFor();
  await until('the warnings to go', async () => (await page.locator('.squiggly-error').count()) === 0);
  await scene.shot('compose-dark');
  await scene.theme('light');
  await scene.shot('compose-light');
  await scene.theme('dark');
  await page.keyboard.press('Control+Enter');
  const sent = await until('the record', () => recordsOf(scene.mail, 'bob')[count]);
  assert.equal(sent.to, 'carol');
  assert.equal(sent.body, 'The changelog is in the branch.\n\n- fixes `first`\n- **features** after that');
  assert.match(sent.thread, /^\d{4}-\d\d-\d\d-bob-the-changelog-is-in-the-branch$/);
  assert.equal(sent.id, sampId(sent));
  const frame = await editor.threadFrame('the-changelog-is-in-the-branch');
  await frame.locator('article', { hasText: 'The changelog is in the branch' }).waitFor();
  await page.locator('.tab', { hasText: 'New message' }).waitFor({ state: 'detached' });
}

async function hoversShow(editor, scene, office) {
  const { page } = editor;
  for (const [file, name] of [
    ['notes.md', 'markdown'],
    ['main.go', 'go'],
  ]) {
    await editor.openFile(file);
    await hoverShows(page, office.plan.id, 'Split the parser');
    const hover = page.locator('.monaco-hover:visible', { hasText: 'Open thread in Signalbox' }).first();
    await hover.locator('a', { hasText: 'Reply' }).waitFor();
    // The time here, and how long ago that is.
    assert.match(await hover.innerText(), /\d:\d\d.*\s·\s.*ago/);
    await scene.shot(`hover-${name}-dark`);
    await page.keyboard.press('Escape');
  }
  // An id that no message has is some commit's; nothing lights up. The question
  // comes for the file's links, when it is opened, and its answer serves the hover.
  const asked = () => scene.log().split("Received response 'signalbox/link/resolve").length;
  const before = asked();
  await editor.openFile('commit.md');
  await until('the question about a stranger', () => asked() > before);
  await hoverOver(page, '0123456789abcdef');
  assert.equal(await page.locator('.detected-link', { hasText: '0123456789abcdef' }).count(), 0);
  assert.equal(await page.locator('.monaco-hover:visible', { hasText: 'Signalbox' }).count(), 0);
}

async function hostileIsHarmless(editor, scene) {
  const { page } = editor;
  append(scene.mail, record(now(), 'mallory', 'bob', 'gift', hostileBody));
  const frame = await editor.openThread('gift');
  const message = frame.locator('article', { hasText: 'there' }).last();
  await message.waitFor();
  assert.equal(
    await frame.locator('article script, article img, article iframe, article [onerror]').count(),
    0,
  );
  const hrefs = await frame.locator('article a').evaluateAll((links) => links.map((link) => link.href));
  assert.deepEqual(
    hrefs.filter((href) => href !== '' && !href.startsWith('https://')),
    [],
    'only https links are links',
  );
  const text = await message.innerText();
  assert.match(text, /⟨U\+202E⟩/);
  assert.match(text, /⟨U\+200B⟩/);
  assert.ok(!/[\u202a-\u202e\u2066-\u2069\u200b]/.test(text), 'no invisible control is left');
  assert.notEqual(await page.title(), 'owned');
  await page.mouse.move(900, 780);
  await scene.shot('hostile-dark');
  await scene.theme('light');
  await scene.shot('hostile-light');
  await scene.theme('dark');
}

async function textShows(editor, scene) {
  const { page } = editor;
  await editor.openThread(parser);
  await editor.command('Signalbox: Open Thread as Text');
  await page.locator('.tab.active', { hasText: '.md' }).waitFor();
  await page.locator('.view-line', { hasText: 'Split the parser' }).first().waitFor();
  await scene.shot('text-dark');
}
