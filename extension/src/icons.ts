// For labels in which VS Code reads "$(name)" as an icon.

/** Returns a stranger's text without icons. */
export function withoutIcons(text: string): string {
  return text.replace(/\$\(/g, '$ (');
}
