// The row of a tree that a click or a key has just selected.

/** A redrawn list is waited for so long, which takes it a few milliseconds. */
const redrawMillis = 1_000;
const stepMillis = 5;

/**
 * Returns the selected row. While a list is redrawn VS Code knows none of its rows, also
 * not the one that was clicked; the row that was selected before it is another's.
 */
export async function selectedRow<T>(view: { readonly selection: readonly T[] }): Promise<T | undefined> {
  for (let waited = 0; view.selection.length === 0 && waited < redrawMillis; waited += stepMillis)
    await new Promise((done) => setTimeout(done, stepMillis));
  return view.selection[0];
}
