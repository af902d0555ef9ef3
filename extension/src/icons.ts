// For labels in which VS Code reads "$(name)" as an icon.

export function withoutIcons(text: string): string {
  return text.replace(/\$\(/g, '$ (');
}
