// Hovering over a text in the editor.

import { act, until } from './wait.mjs';

/** Hovers over a text until its hover holds another one. */
export async function hoverShows(page, text, wanted) {
  await act(
    `"${wanted}" above "${text}"`,
    () => hoverOver(page, text),
    async () => (await page.locator('.monaco-hover:visible', { hasText: wanted }).count()) > 0,
  );
}

/** Moves the pointer onto a text in the active editor: one near a line's begin, since long lines are drawn in parts. */
export async function hoverOver(page, text) {
  const place = await until(`"${text}" in the editor`, () =>
    page.evaluate((wanted) => {
      for (const line of document.querySelectorAll('.editor-group-container.active .view-line')) {
        const walker = document.createTreeWalker(line, 4);
        for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
          const at = node.textContent.indexOf(wanted);
          if (at < 0) continue;
          const range = document.createRange();
          range.setStart(node, at);
          range.setEnd(node, at + wanted.length);
          const box = range.getBoundingClientRect();
          return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
        }
      }
      return null;
    }, text),
  );
  await page.mouse.move(place.x + 200, place.y + 200);
  await page.mouse.move(place.x, place.y, { steps: 5 });
}

/** Opens the thread to which the hover above a message's id leads; returns its frame. The hover may be drawn again under the pointer. */
export async function openHovered(editor, message) {
  const link = editor.page
    .locator('.monaco-hover:visible a', { hasText: 'Open thread in Signalbox' })
    .first();
  await act(
    'the thread of the hover',
    async () => {
      await hoverShows(editor.page, message.id, 'Open thread in Signalbox');
      await link.click();
    },
    () => editor.threadFrame(message.thread),
  );
  return editor.threadFrame(message.thread);
}
