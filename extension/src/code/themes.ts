// Finds the colour theme that a page names among the themes of all extensions.

import * as vscode from 'vscode';
import { themeColours, type ThemeColours } from './theme';

/** Returns the colours of a theme by its id. They are empty if the theme is not on this machine. */
export async function coloursOf(id: string): Promise<ThemeColours> {
  for (const extension of vscode.extensions.all) {
    const path = pathOf(extension.packageJSON, id);
    if (path === undefined) continue;
    const read = async (relative: string): Promise<string> => {
      const file = vscode.Uri.joinPath(extension.extensionUri, relative);
      return new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
    };
    return themeColours(read, path);
  }
  return {};
}

/** Returns the file of a theme in an extension's manifest, which may contain anything. */
function pathOf(manifest: unknown, wanted: string): string | undefined {
  const { contributes } = manifest as { readonly contributes?: { readonly themes?: unknown } };
  if (!Array.isArray(contributes?.themes)) return undefined;
  for (const theme of contributes.themes as readonly Partial<Record<string, unknown>>[]) {
    const { id, label, path } = theme;
    if ((id ?? label) === wanted && typeof path === 'string') return path;
  }
  return undefined;
}
