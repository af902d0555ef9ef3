// Measures how long a thread takes to open in the tab that is there, from the press
// of the mouse on its row to its last row of messages. The environment is that of run.mjs.
//
//   node extension/e2e/opening.mjs

import { append, record } from './mail.mjs';
import { Scene } from './scene.mjs';

const threads = 12;
const messages = 30;
const nameOf = (thread) => `topic-${String(thread).padStart(2, '0')}`;

const scene = new Scene();
try {
  const now = Math.floor(Date.now() / 1000);
  for (let thread = 0; thread < threads; thread++)
    for (let n = 1; n <= messages; n++) {
      const [from, to] = n % 2 === 0 ? ['carol', 'bob'] : ['bob', 'carol'];
      const text = `Step ${n} about **topic** ${thread}.`;
      append(scene.mail, record(now - 3600 - thread * 60 + n, from, to, nameOf(thread), text));
    }
  const editor = await scene.open();
  await editor.openInbox();
  await editor.openThread(nameOf(0));
  await editor.page.evaluate(() => {
    const note = () => (window.pressed = window.performance.timeOrigin + window.performance.now());
    window.addEventListener('mousedown', note, true);
  });
  const times = [];
  for (let thread = 1; thread < threads; thread++) times.push(Math.round(await opening(editor, thread)));
  console.log(`opens in ${times.sort((a, b) => a - b).join(', ')} ms`);
} finally {
  await scene.close(false);
}

/** Opens a thread; returns the milliseconds it took. */
async function opening(editor, thread) {
  const frame = await editor.threadFrame(nameOf(thread - 1));
  const shown = frame.evaluate(
    (text) =>
      new Promise((done) => {
        const check = () => {
          const list = document.querySelector('.messages');
          if (list.hasAttribute('aria-busy') || !list.textContent.includes(text)) return;
          watch.disconnect();
          done(window.performance.timeOrigin + window.performance.now());
        };
        const watch = new window.MutationObserver(check);
        watch.observe(document, { subtree: true, childList: true, attributes: true });
      }),
    `about topic ${thread}.`,
  );
  const [at] = await Promise.all([shown, editor.row(nameOf(thread)).click()]);
  return at - (await editor.page.evaluate(() => window.pressed));
}
