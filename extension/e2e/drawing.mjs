// Measures how long a page takes to draw what it is told: the time that its script takes for a
// message, with style and layout after it, and the time until it is painted. Tests print these
// times and never check them against a limit: the machine may be busy.

/** Begins to watch all frames that a page opens from now on. */
export async function watchDrawing(page) {
  await page.addInitScript(observe);
}

/**
 * Returns what a frame was told since the last call: for each message its type, and the times in
 * ms. opened: since the frame's document began, until it was painted.
 */
export const drawn = (frame) => frame.evaluate(() => window.signalboxDrawn?.splice(0) ?? []);

/** Runs in each frame, before its scripts. */
function observe() {
  const list = (window.signalboxDrawn = []);
  const add = window.addEventListener;
  const timed = (listener) => (event) => {
    const start = window.performance.now();
    listener(event);
    const end = window.performance.now();
    void document.body?.offsetHeight;
    const layout = window.performance.now();
    const entry = { type: String(event.data?.type ?? event.data?.kind ?? ''), script: end - start };
    Object.assign(entry, { layout: layout - end, painted: 0, opened: 0 });
    list.push(entry);
    window.requestAnimationFrame(() =>
      setTimeout(() => {
        entry.painted = window.performance.now() - start;
        entry.opened = window.performance.now();
      }),
    );
  };
  window.addEventListener = function (type, listener, ...rest) {
    const told = type === 'message' && typeof listener === 'function';
    return add.call(this, type, told ? timed(listener) : listener, ...rest);
  };
}
