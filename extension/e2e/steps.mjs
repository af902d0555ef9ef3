// Threads whose messages are numbered: "Step 7".

/** The numbers of the steps that are shown; none while the rows of a page come, which they do in pieces. */
export const steps = (frame) =>
  frame.locator('.messages').evaluate((list) => {
    if (list.hasAttribute('aria-busy')) return [];
    const bodies = [...list.querySelectorAll('article .body')];
    return bodies.map((body) => Number(/Step (\d+)/.exec(body.textContent)?.[1]));
  });
