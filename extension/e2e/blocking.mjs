// How long the window's one thread was busy at a stretch, and with whose code.
// The frames of views share the thread with VS Code, so every frame is asked.
// Figures only: what a test holds against a limit is counts, never times, since
// the machine does other work beside.

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
   * What was seen since the last time this was asked: the longest task of all, and the
   * longest stretch in which code of ours ran, in ms; 0 where none took 50 ms,
   * below which a browser does not report them.
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

/** Runs in each frame. Ours is what came from a script in the extension's folder, the layout it forced included. */
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
