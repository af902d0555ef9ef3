// Keys that act on the whole page. They do nothing while the user types, and keys
// with a modifier stay the editor's.

/** Calls back on n and p, the inbox's keys for the next and the previous unread thread. */
export function onUnreadKeys(go: (back: boolean) => void): void {
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'n' && event.key !== 'p') return;
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const { target } = event;
    if (
      target instanceof HTMLElement &&
      target.closest('textarea, input, select, [contenteditable]') !== null
    )
      return;
    event.preventDefault();
    go(event.key === 'p');
  });
}
