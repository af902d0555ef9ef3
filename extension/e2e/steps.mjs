// Threads whose messages are numbered: "Step 7".

/** Returns the numbers of the shown steps; none while the rows of a page are still being built. */
export const steps = (frame) =>
  frame.locator('.messages').evaluate((list) => {
    if (list.hasAttribute('aria-busy')) return [];
    const bodies = [...list.querySelectorAll('article .body')];
    return bodies.map((body) => Number(/Step (\d+)/.exec(body.textContent)?.[1]));
  });

/** Scrolls a thread to its top, as a reader does who wants to see what was before. */
export async function scrollToTop(frame) {
  await frame.locator('.scroll').evaluate((list) => {
    list.scrollTop = 1;
    list.scrollTop = 0;
  });
}
