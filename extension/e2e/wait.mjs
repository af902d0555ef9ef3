// Waits for conditions, and repeats actions as a person would: a busy machine drops
// a click on a row that is being redrawn.

/** How long anything may take. It is generous: the machine may be busy, and failures are rare. */
export const timeoutMillis = 60_000;

/** A condition is looked at so often at least. */
const longestPauseMillis = 250;

/** After this time without an effect, an action is repeated. */
const againMillis = 6_000;

/** Waits until a check returns something true, and returns it. */
export async function until(what, check, millis = timeoutMillis) {
  const deadline = Date.now() + millis;
  let last;
  // Each look costs processor time, which whatever is waited for needs too.
  for (let pause = 20; ; pause = Math.min(2 * pause, longestPauseMillis)) {
    try {
      const value = await check();
      if (value) return value;
      last = undefined;
    } catch (error) {
      last = error;
    }
    if (Date.now() >= deadline) break;
    await new Promise((done) => setTimeout(done, pause));
  }
  throw new Error(
    `e2e: waited ${millis} ms in vain: ${what}${last === undefined ? '' : `: ${last.message}`}`,
  );
}

/**
 * Repeats a harmless action until its effect is seen. Returns the effect, also one that a
 * busy machine brings while the action is repeated.
 */
export async function act(what, action, check) {
  const deadline = Date.now() + timeoutMillis;
  for (;;) {
    try {
      await action();
      return await until(what, check, againMillis);
    } catch (error) {
      const late = await until(what, check, 0).catch(() => undefined);
      if (late) return late;
      if (Date.now() >= deadline) throw error;
    }
  }
}
