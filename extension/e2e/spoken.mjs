// What a screen reader has of a page: the accessibility tree as Chromium made it, as lines of
// role, name and state.

/** States that are said, and how. */
const said = {
  expanded: (value) => (value ? 'expanded' : 'collapsed'),
  pressed: (value) => (value === 'true' ? 'pressed' : ''),
  checked: (value) => (value === 'true' ? 'checked' : 'not checked'),
  disabled: (value) => (value ? 'disabled' : ''),
  level: (value) => `level ${value}`,
  keyshortcuts: (value) => `key ${value}`,
};

/** Roles that add nothing to what is inside them. */
const silent = new Set([
  'none',
  'generic',
  'InlineTextBox',
  'LineBreak',
  'ListMarker',
  'paragraph',
  'strong',
]);

/** Returns the lines of the tree below the first element with a role, each indented by its depth. */
export async function spoken(page, frame, role = 'main') {
  const session = await page.context().newCDPSession(page);
  try {
    await session.send('Accessibility.enable');
    const { frameTree } = await session.send('Page.getFrameTree');
    // Its address is that of the page which wrote it: the frame around it has one of its own.
    const around = frame.parentFrame().url();
    const id = within(frameTree, around);
    if (id === undefined) throw new Error(`e2e: no frame in ${around}`);
    const { nodes } = await session.send('Accessibility.getFullAXTree', { frameId: id });
    const byID = new Map(nodes.map((node) => [node.nodeId, node]));
    const root = nodes.find((node) => node.role?.value === role);
    return root === undefined ? [] : linesOf(root, byID, 0);
  } finally {
    await session.detach();
  }
}

/** The id of the frame inside the one with an address. */
function within({ frame, childFrames = [] }, address) {
  if (frame.url === address) return childFrames.at(-1)?.frame.id;
  return childFrames.map((child) => within(child, address)).find((id) => id !== undefined);
}

function linesOf(node, byID, depth) {
  const role = node.role?.value ?? '';
  const name = (node.name?.value ?? '').trim().replaceAll(/\s+/g, ' ');
  const below = (deeper) =>
    (node.childIds ?? [])
      .map((id) => byID.get(id))
      .filter((child) => child !== undefined)
      .flatMap((child) => linesOf(child, byID, deeper));
  if (node.ignored || silent.has(role)) return below(depth);
  if (role === 'StaticText') return name === '' ? [] : [`${'  '.repeat(depth)}"${name}"`];
  const states = (node.properties ?? [])
    .map(({ name: state, value }) => said[state]?.(value.value) ?? '')
    .filter((word) => word !== '');
  const line = [role, name === '' ? '' : `"${name}"`, ...states].filter((part) => part !== '').join(' ');
  // The name of a button is all of its text.
  const inner = ['button', 'heading', 'link'].includes(role) && name !== '' ? [] : below(depth + 1);
  const heading = role === 'heading' ? below(depth + 1).filter((one) => !one.trim().startsWith('"')) : [];
  return [`${'  '.repeat(depth)}${line}`, ...inner, ...heading];
}
