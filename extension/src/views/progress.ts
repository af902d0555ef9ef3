// Progress in a view, only when something takes long.

import * as vscode from 'vscode';

/** Progress shows only when a load takes longer than this. */
export const slowMillis = 500;

/** Shows progress in a view from when a load has taken too long until it ends. */
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
