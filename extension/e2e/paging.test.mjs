// More than fits: a thread and an inbox of many pages, the filters that make
// the inbox short, and the way from a hover to one message far up.

import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openHovered } from './hover.mjs';
import { append, record } from './mail.mjs';
import { only } from './listView.mjs';
import { inScene } from './scene.mjs';
import { scrollToTop, steps } from './steps.mjs';
import { act, until } from './wait.mjs';

const long = 'long-thread';
const length = 300;
/** Among so many of the newest messages every second is for bob, and unread. */
const recent = 120;

test(
  'long threads and inboxes come in pages, and filters choose',
  inScene(async (scene) => {
    const talk = writeMuch(scene.mail, Math.floor(Date.now() / 1000));
    scene.file('notes.md', `# Notes\n\nDecided in ${talk[6].id}.\n`);
    const editor = await scene.open();
    await editor.openInbox();
    await only(editor.page, 'Inbox'); // all of its rows are in sight
    await editor.row(long).waitFor();

    await threadPages(editor);
    await hoverLeadsToMessage(editor, scene, talk[6]);
    await inboxPages(editor);
    await filtersChoose(editor);
  }),
);

/** One long thread, 70 short ones of which every second is bob's to answer, one of others, one forged. */
function writeMuch(dir, now) {
  const talk = [];
  for (let n = 1; n <= length; n++) {
    const [from, to] = n <= length - recent || n % 2 === 0 ? ['bob', 'planner'] : ['planner', 'bob'];
    talk.push(record(now - 600 + n, from, to, long, `Step ${n} of the plan.`));
  }
  for (const message of talk) append(dir, message);
  for (let n = 1; n <= 70; n++) {
    const [from, to] = n % 2 === 0 ? ['bob', 'carol'] : ['carol', 'bob'];
    append(
      dir,
      record(now - 3600 - n * 60, from, to, `topic-${String(n).padStart(2, '0')}`, `About topic ${n}.`),
    );
  }
  append(dir, record(now - 7, 'alice', 'carol', 'not-for-bob', 'Between the two of us.'));
  appendFileSync(join(dir, 'log-mallory.jsonl'), record(now - 5, 'alice', 'bob', 'forged', 'Trust me.').line);
  return talk;
}

async function threadPages(editor) {
  const frame = await editor.openThread(long);
  const repeated = await updates(frame);
  const older = frame.getByRole('button', { name: 'Load older messages' });
  let shown = await until('the newest page', async () => {
    const now = await steps(frame);
    return now.length > 0 ? now : undefined;
  });
  assert.ok(shown.length < length, 'a long thread does not come at once');
  assert.equal(shown.at(-1), length);
  await opensAtUnread(frame);
  await passedStaysUnread(editor);
  for (let pages = 0; shown[0] !== 1; pages++) {
    assert.ok(pages < length, 'every page brings something');
    const first = shown[0];
    // In one go: the row may be built anew between finding and measuring it.
    const top = () =>
      frame.locator('.messages').evaluate((list, text) => {
        const articles = [...list.querySelectorAll('article')];
        return articles.find((one) => one.textContent.includes(text)).getBoundingClientRect().top;
      }, `Step ${first} of`);
    // They load when the reader comes near the first.
    let before = 0;
    shown = await act(
      'an older page',
      async () => {
        await scrollToTop(frame);
        before = await top();
      },
      async () => {
        const now = await steps(frame);
        return now[0] < first ? now : undefined;
      },
    );
    const after = await top();
    assert.ok(Math.abs(after - before) < 60, `what was read at ${before} stays there, and not at ${after}`);
  }
  assert.deepEqual(
    shown,
    Array.from({ length }, (_, index) => index + 1),
  );
  await older.waitFor({ state: 'hidden' });
  await repeated(200);
  await quarterFromTop(frame, 201);
}

/**
 * Keeps what the page is sent. The function that is returned shows it again as another thread,
 * unread from a message on, and updates it at once, on a machine that builds a row at a time.
 */
async function updates(frame) {
  await frame.evaluate(() => {
    window.addEventListener('message', ({ data }) => {
      if (data.type === 'thread') window.shownLast = data;
    });
  });
  return (read) =>
    frame.evaluate((read) => {
      const { thread, messages, ...rest } = window.shownLast;
      const data = {
        ...rest,
        thread: { ...thread, ref: { ...thread.ref, id: 'another' }, unread: messages.length - read },
        messages: messages.map((message, index) => ({ ...message, unread: index >= read })),
      };
      const { now } = window.Performance.prototype;
      let calls = 0;
      window.performance.now = () => now.call(window.performance) + calls++ * 1_000;
      for (let times = 0; times < 2; times++)
        window.dispatchEvent(new window.MessageEvent('message', { data }));
    }, read);
}

/** The thread opens at its first unread message, which is not on the newest page. */
async function opensAtUnread(frame) {
  await quarterFromTop(frame, length - recent + 1);
  await frame.getByRole('button', { name: `${recent / 2} new · Jump to Newest` }).click();
  const newest = frame.locator('article', { hasText: `Step ${length} of` });
  await until('the newest message', () => newest.evaluate(isInView));
}

async function quarterFromTop(frame, step) {
  const first = frame.locator('article', { hasText: `Step ${step} of` });
  await until('the first unread message a quarter from the top', async () => {
    const place = await first.evaluate(
      (article) => {
        const { top, height } = document.querySelector('.scroll').getBoundingClientRect();
        const built = !document.querySelector('.messages').hasAttribute('aria-busy');
        return { built, down: article.getBoundingClientRect().top - top, height };
      },
      undefined,
      { timeout: 5_000 },
    );
    assert.ok(place.built && Math.abs(place.down / place.height - 0.25) < 0.05, JSON.stringify(place));
    return true;
  });
}

/** What was jumped over was not read; what came into view is. */
async function passedStaysUnread(editor) {
  const row = editor.row(long);
  await until('only what came into view to be read', async () => {
    const left = Number(/, (\d+) unread/.exec(await row.getAttribute('aria-label'))?.[1]);
    return left > 0 && left < recent / 2 - 1;
  });
}

async function hoverLeadsToMessage(editor, scene, message) {
  await editor.openThread('topic-02');
  await editor.openFile('notes.md');
  const frame = await openHovered(editor, message);
  const selected = editor.inbox.locator('.monaco-list-row.selected');
  await until('the row of the thread in front to be selected', async () =>
    (await selected.getAttribute('aria-label', { timeout: 1_000 })).includes(long),
  );
  const article = frame.locator('article', { hasText: message.body });
  await until('the message to have the focus', () =>
    article.evaluate((element) => element === document.activeElement),
  );
  assert.ok(await article.evaluate(isInView), 'the message is in view');
  await scene.shot('found-dark');
  await until('the mark to fade', async () => !/\bfound\b/.test(await article.getAttribute('class')));
}

const isInView = (element) => {
  const { top, bottom } = element.getBoundingClientRect();
  return top >= 0 && bottom <= window.innerHeight;
};

async function inboxPages(editor) {
  const last = editor.row('topic-70');
  const toEnd = async () => {
    await editor
      .row('topic-0')
      .focus({ timeout: 1_000 })
      .catch(() => undefined);
    await editor.scrollInbox('End');
  };
  const more = editor.row('Load more');
  await act('the end of the first page', toEnd, () => more.isVisible());
  assert.equal(await last.count(), 0);
  await act(
    'the second page',
    async () => {
      if (await more.isVisible()) await more.click();
      await toEnd();
    },
    () => last.isVisible(),
  );
  assert.equal(await more.count(), 0);
}

async function filtersChoose(editor) {
  await filter(editor, ['Unread'], [long, 'topic-01', 'topic-03'], ['topic-02']);
  await filter(editor, ['Threads I’m In'], [long, 'topic-02'], ['not-for-bob']);
  await filter(editor, ['Suspicious'], ['log-mallory.jsonl'], [long, 'topic-01']);
  await filter(editor, [], [long, 'not-for-bob', 'topic-01'], ['log-mallory']);
}

async function filter(editor, labels, shown, hidden) {
  if (labels.length === 0) await editor.command('Signalbox: Clear Filters');
  else await editor.filterInbox(...labels);
  const word = labels[0] ?? /Inbox/;
  await editor.page.locator('.sidebar .pane-header', { hasText: word }).first().waitFor();
  await editor.scrollInbox('Home');
  for (const name of shown) await editor.row(name).waitFor();
  for (const name of hidden) await editor.row(name).waitFor({ state: 'detached' });
}
