// Finds the row of a tree that a click or a key has just selected.

/** The longest wait for a list to be redrawn, which takes a few milliseconds. */
const redrawMillis = 1_000;
const stepMillis = 5;

/**
 * Returns the selected row. While a list is redrawn, VS Code knows none of its rows, not even
 * the one that was clicked. The row selected before would be the wrong one.
 */
export async function selectedRow<T>(view: { readonly selection: readonly T[] }): Promise<T | undefined> {
  for (let waited = 0; view.selection.length === 0 && waited < redrawMillis; waited += stepMillis)
    await new Promise((done) => setTimeout(done, stepMillis));
  return view.selection[0];
}
