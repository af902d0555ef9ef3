// Much more than anybody reads: a thread of 50,000 messages, a body of 10 MB
// and 5,000 threads. All of it comes in parts, and the window holds no more of
// it than a person can look at, however far they go.

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Blocking } from './blocking.mjs';
import { hoverOver, pressLink } from './hover.mjs';
import { record } from './mail.mjs';
import { inScene } from './scene.mjs';
import { scrollToTop, steps } from './steps.mjs';
import { act, until } from './wait.mjs';

const long = 'endless-talk';
const messages = 50_000;
const threads = 5_000;
const bodyBytes = 10 * 1024 * 1024;

/** So many pages are asked for: of a list, and of a thread, whose view lets others go by then. */
const listPages = 4;
const threadPages = 9;

/** What a view may hold at a time: messages, elements, and rows of a list. */
const heldMessages = 400;
const heldElements = 30_000;
const heldRows = 100;

test(
  'a huge thread, a huge body and a huge inbox come in parts',
  inScene(async (scene) => {
    const { first, huge } = writeHuge(scene.mail, Math.floor(Date.now() / 1000));
    scene.file('plain.md', 'word '.repeat(20).concat('\n').repeat(2_000));
    scene.file('first.md', `It began with ${first}.\n`);
    const editor = await scene.open();
    const figures = new Figures(await Blocking.watch(editor.page));
    try {
      await figures.of('a file, and nothing of ours', () => showsFile(editor));
      await figures.of('the inbox opens', () => opensInbox(editor));
      await figures.of('more pages of it', () => inboxPages(editor));
      await figures.of('the thread opens', () => opensThread(editor));
      await figures.of('older pages', () => olderPages(editor));
      await figures.of('its first message', () => firstMessage(editor, first));
      await figures.of('newer pages', () => newerPages(editor));
      await figures.of('its end again', () => backToEnd(editor));
      await figures.of('the body opens', () => opensBody(editor, huge));
      await figures.of('the body as text', () => bodyAsText(editor));
    } finally {
      figures.print();
    }
  }),
);

/** What was measured, for BENCHMARKS.md. */
class Figures {
  #blocking;
  #rows = [];

  constructor(blocking) {
    this.#blocking = blocking;
  }

  async of(what, run) {
    await this.#blocking.seen();
    await run();
    this.#rows.push({ what, ...(await this.#blocking.seen()) });
  }

  print() {
    console.log('the longest task, and the longest stretch of our code, in ms:');
    for (const { what, longest, ours } of this.#rows) console.log(`  ${what}: ${longest}, ${ours}`);
  }
}

/** The measure for the others: what VS Code itself takes. */
async function showsFile(editor) {
  await editor.openFile('plain.md');
  await editor.page.locator('.editor-group-container.active .view-lines').click();
  await editor.page.keyboard.press('Control+End');
}

const rows = (editor) => editor.inbox.locator('.monaco-list-row');

async function holdsRows(editor) {
  const count = await rows(editor).count();
  assert.ok(count > 0 && count <= heldRows, `the list draws ${count} rows`);
}

async function opensInbox(editor) {
  await editor.openInbox();
  await editor.row(long).waitFor();
  await holdsRows(editor);
}

async function inboxPages(editor) {
  const { page } = editor;
  const more = editor.row('Load more');
  const toEnd = async () => {
    await editor.inbox.locator('.monaco-list').first().focus();
    await page.keyboard.press('End');
  };
  // The first page has the long thread, the huge body and 48 of the others.
  for (let last = 48; last < 48 + listPages * 50; last += 50) {
    await act(`topic ${last} at the end`, toEnd, async () => {
      if (!(await more.isVisible())) return false;
      return editor.row(`About topic ${last}.`).isVisible();
    });
    await holdsRows(editor);
    await more.click();
  }
  await act('the last page', toEnd, () => editor.row(`About topic ${48 + listPages * 50}.`).isVisible());
  await page.keyboard.press('Home');
  await editor.row(long).waitFor();
}

/** Waits until steps are shown as wanted; holds that they follow each other, and that there are not too many. */
async function shows(frame, what, wanted) {
  const shown = await until(what, async () => {
    const now = await steps(frame);
    return now.length > 0 && wanted(now) ? now : undefined;
  });
  assert.ok(shown.length <= heldMessages, `the view holds ${shown.length} messages`);
  assert.deepEqual(
    shown,
    shown.map((_, index) => shown[0] + index),
  );
  const elements = await frame.locator('main *').count();
  assert.ok(elements < heldElements, `the view holds ${elements} elements`);
  return shown;
}

async function opensThread(editor) {
  const frame = await editor.openThread(long);
  const shown = await shows(frame, 'the newest page', (now) => now.at(-1) === messages);
  assert.ok(shown.length <= 50, 'one page comes at once');
}

async function olderPages(editor) {
  const frame = await editor.threadFrame(long);
  let [first] = await steps(frame);
  for (let pages = 0; pages < threadPages; pages++) {
    // They load when the reader comes near the first.
    const before = first;
    await act(
      `older page ${pages}`,
      () => scrollToTop(frame),
      async () => (await steps(frame))[0] < before,
    );
    [first] = await steps(frame);
  }
  assert.ok(first <= messages - (threadPages + 1) * 50 + 1, `it begins at ${first}`);
  await frame.getByRole('button', { name: 'Load newer messages' }).waitFor();
}

/** The link in a file leads to a message that is 50,000 away, without all between. */
async function firstMessage(editor, id) {
  await editor.openFile('first.md');
  await editor.page.locator('.editor-group-container.active .detected-link').first().waitFor();
  await act(
    'the first message by its link',
    async () => pressLink(editor.page, await hoverOver(editor.page, id)),
    () => editor.page.locator('.tab.active', { hasText: /Step \d+ of many/ }).isVisible(),
  );
  await until('the first message', async () => {
    const [first] = await steps(await editor.threadFrame(long));
    return first === 1;
  });
  const frame = await editor.threadFrame(long);
  await until('the first message to have the focus', () =>
    frame
      .locator('article')
      .first()
      .evaluate((article) => article === document.activeElement),
  );
  assert.equal(await frame.getByRole('button', { name: 'Load older messages' }).isVisible(), false);
}

async function newerPages(editor) {
  const frame = await editor.threadFrame(long);
  let last = (await steps(frame)).at(-1);
  for (let pages = 0; pages < threadPages; pages++) {
    const at = frame.locator('article', { hasText: `Step ${last} of` }).first();
    const newer = frame.getByRole('button', { name: 'Load newer messages' });
    await newer.scrollIntoViewIfNeeded();
    await newer.click();
    last = (await shows(frame, `newer page ${pages}`, (now) => now.at(-1) > last)).at(-1);
    assert.ok(await at.evaluate(isInView), 'what was read stays where it was');
  }
  await frame.getByRole('button', { name: 'Load older messages' }).waitFor();
}

const isInView = (element) => {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom >= 0 && top <= window.innerHeight;
};

async function backToEnd(editor) {
  const frame = await editor.threadFrame(long);
  await frame.getByRole('button', { name: 'To the newest message' }).click();
  await shows(frame, 'the end', (now) => now.at(-1) === messages);
  await until('the newest message in view', () => frame.locator('article').last().evaluate(isInView));
  assert.equal(await frame.getByRole('button', { name: 'Load newer messages' }).isVisible(), false);
}

async function opensBody(editor, { id, length }) {
  const frame = await editor.openThread('huge-body');
  const body = frame.locator('article .body').first();
  await body.locator('.cut').waitFor();
  const shown = await body.evaluate((element) => element.textContent.length);
  assert.ok(shown > 10_000 && shown < 200_000, `${shown} characters are shown`);
  const text = await body.textContent();
  assert.ok(text.includes(`the message has ${length} characters`), 'it says how long it is');
  assert.ok(text.includes(`signalbox cat ${id}`), 'it says where the rest is');
}

async function bodyAsText(editor) {
  const frame = await editor.threadFrame('huge-body');
  await frame.locator('.cut').getByRole('button', { name: 'Open as text' }).click();
  await editor.page.locator('.tab.active', { hasText: '.md' }).first().waitFor();
  await editor.page
    .locator('.editor-group-container.active .view-line', { hasText: 'paragraph' })
    .first()
    .waitFor();
}

/** Each log in one write: a record at a time takes minutes. Returns what the tests look for. */
function writeHuge(dir, now) {
  const logs = { planner: [], bob: [], alice: [], carol: [] };
  const say = (...fields) => {
    const made = record(...fields);
    logs[made.from].push(made.line);
    return made;
  };
  let first;
  for (let n = 1; n <= messages; n++) {
    const [from, to] = n % 2 === 0 ? ['planner', 'bob'] : ['bob', 'planner'];
    const code = n % 5 === 0 ? '\n\n```go\nfor r.Next() {\n\tuse(r.Line())\n}\n```\n\n- one\n- two\n' : '';
    const made = say(now - messages - 600 + n, from, to, long, `Step ${n} of **many**.${code}`);
    first ??= made.id;
  }
  for (let n = 1; n <= threads; n++)
    say(now - 100_000 - n * 60, 'alice', 'bob', `topic-${n}`, `About topic ${n}.`);
  const paragraph = `A *long* paragraph ${'with `code` in it, '.repeat(20)}\n\n`;
  const body = paragraph.repeat(Math.ceil(bodyBytes / paragraph.length));
  const huge = say(now - 300, 'carol', 'bob', 'huge-body', body);
  mkdirSync(dir, { recursive: true });
  for (const [name, lines] of Object.entries(logs))
    writeFileSync(join(dir, `log-${name}.jsonl`), lines.join(''));
  return { first, huge: { id: huge.id, length: body.length } };
}
