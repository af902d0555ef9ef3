// Keys that act on the page as a whole. They are not those of a text that is
// being written, and none that another program may want: with a modifier they
// stay the editor's.

/** Calls back with n and p, the keys of the list: to the next and the previous unread thread. */
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
