// Measures how long the window's thread was busy at a stretch, and with whose code.
// Views share the thread with VS Code, so every frame is watched. Tests print these
// times but never check them against a limit: the machine may be busy.

export class Blocking {
  #page;

  /** Begins to watch a page, and each frame it opens from now on. */
  static async watch(page) {
    const watching = new Blocking();
    watching.#page = page;
    await page.addInitScript(observe);
    for (const frame of page.frames()) await frame.evaluate(observe).catch(() => undefined);
    return watching;
  }

  /**
   * Returns the longest task, and the longest stretch of our own code, since the last
   * call, in ms. Browsers do not report tasks below 50 ms: then it is 0.
   */
  async seen() {
    const seen = await this.#drain();
    const longest = (list) => Math.round(Math.max(0, ...list));
    return {
      longest: longest(seen.map(({ duration }) => duration)),
      ours: longest(seen.map(({ ours }) => ours)),
    };
  }

  async #drain() {
    const all = [];
    for (const frame of this.#page.frames())
      all.push(...(await frame.evaluate(() => window.signalboxSeen?.splice(0) ?? []).catch(() => [])));
    return all;
  }
}

/** Runs in each frame. Our code is the scripts in the extension's folder, with the layout that they forced. */
function observe() {
  if (window.signalboxSeen !== undefined) return;
  const seen = [];
  window.signalboxSeen = seen;
  const isOurs = ({ sourceURL, invoker }) => /signalbox[^?]*\/dist\//.test(`${sourceURL} ${invoker}`);
  new window.PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) seen.push({ duration, ours: 0 });
  }).observe({ type: 'longtask', buffered: true });
  // Names the scripts, and the time for style and layout after them.
  new window.PerformanceObserver((list) => {
    for (const frame of list.getEntries()) {
      const scripts = frame.scripts.filter(isOurs);
      if (scripts.length === 0) continue;
      const run = scripts.reduce((sum, { duration }) => sum + duration, 0);
      const layout =
        frame.styleAndLayoutStart > 0 ? frame.startTime + frame.duration - frame.styleAndLayoutStart : 0;
      seen.push({ duration: 0, ours: run + layout });
    }
  }).observe({ type: 'long-animation-frame', buffered: true });
}
