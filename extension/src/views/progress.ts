// Shows progress in a view, but only if something takes long.

import * as vscode from 'vscode';

/** Progress is shown only if loading takes longer than this. */
export const slowMillis = 500;

/** Shows progress in a view until loading ends, if that takes longer than `slowMillis`. */
export function showProgressWhenSlow(viewId: string, loading: Promise<unknown>): void {
  const timer = setTimeout(() => {
    const quiet = loading.then(
      () => undefined,
      () => undefined,
    );
    void vscode.window.withProgress({ location: { viewId } }, () => quiet);
  }, slowMillis);
  const stop = (): void => clearTimeout(timer);
  loading.then(stop, stop);
}
