// Labels in which VS Code reads "$(name)" as an icon.

/** A stranger's text in which nothing is an icon. */
export function withoutIcons(text: string): string {
  return text.replace(/\$\(/g, '$ (');
}
