// Hovers over a text in the editor.

import { act, until } from './wait.mjs';

/** The lines of the active editor. */
const editorLines = '.editor-group-container.active .view-line';

/** The lines of the terminal that is seen. */
export const terminalLines = '.terminal-wrapper.active .xterm-rows > div';

/** Hovers over a text until the hover contains another text. Returns the place. */
export async function hoverShows(page, text, wanted, lines = editorLines) {
  let place;
  await act(
    `"${wanted}" above "${text}"`,
    async () => {
      place = await hoverOver(page, text, lines);
    },
    async () => (await page.locator('.monaco-hover:visible', { hasText: wanted }).count()) > 0,
  );
  return place;
}

/**
 * Moves the pointer onto a text in the lines of the active editor, near the
 * beginning of a line: long lines are drawn in parts. Returns the place.
 */
export async function hoverOver(page, text, lines = editorLines) {
  const place = await until(`"${text}" in the lines`, () =>
    page.evaluate(
      ([wanted, selector]) => {
        for (const line of document.querySelectorAll(selector)) {
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
      },
      [text, lines],
    ),
  );
  await page.mouse.move(place.x + 200, place.y > 400 ? place.y - 200 : place.y + 200);
  // Coming from another line: the terminal caches what it found in a line, even
  // that it found nothing.
  await page.mouse.move(place.x, place.y + 60);
  await page.mouse.move(place.x, place.y, { steps: 5 });
  return place;
}

/** Follows the link under the pointer. Pressing Ctrl makes it another element: the place is clicked, not the element. */
export async function pressLink(page, { x, y }) {
  await page.keyboard.down('Control');
  try {
    await page.mouse.move(x + 1, y);
    await page.mouse.click(x + 1, y);
  } finally {
    await page.keyboard.up('Control');
  }
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
      await link.click({ timeout: 2_000 });
    },
    () => editor.threadFrame(message.thread, 0),
  );
  return editor.threadFrame(message.thread);
}
