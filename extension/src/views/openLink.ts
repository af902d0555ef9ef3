// Links in what strangers wrote.

import * as vscode from 'vscode';
import { httpsAddress } from './messages';

/** Only https, and only through VS Code, which asks before it opens a site it does not know. */
export async function openLink(href: string): Promise<void> {
  const address = httpsAddress(href);
  if (address !== undefined) await vscode.env.openExternal(vscode.Uri.parse(address, true));
}
