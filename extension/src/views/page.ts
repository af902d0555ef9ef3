// The empty page of a view, in an editor tab or in the side bar. Its content arrives later, by
// postMessage.

import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';

/** The pages. Each has its own script and style sheet in dist/. */
export type PageName = 'thread' | 'task' | 'doctor' | 'needs' | 'agents';

/** Shows a page in a webview. The webview may load files from dist/ only. */
export function showPage(webview: vscode.Webview, resources: vscode.Uri, name: PageName): void {
  const dist = vscode.Uri.joinPath(resources, 'dist');
  webview.options = { enableScripts: true, localResourceRoots: [dist] };
  webview.html = pageOf(webview, dist, name, randomBytes(16).toString('base64'));
}

/**
 * Returns the page's HTML. Its policy allows our script and our style sheet, and in a thread
 * images as data: URIs. Nothing can be fetched.
 */
function pageOf(webview: vscode.Webview, dist: vscode.Uri, name: PageName, nonce: string): string {
  const script = webview.asWebviewUri(vscode.Uri.joinPath(dist, `${name}.js`)).toString();
  const style = webview.asWebviewUri(vscode.Uri.joinPath(dist, `${name}.css`)).toString();
  const policy = [
    "default-src 'none'",
    `style-src ${webview.cspSource}`,
    ...(name === 'thread' ? ['img-src data:'] : []),
    `script-src 'nonce-${nonce}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${vscode.env.language}">
<head>
  <meta charset="utf-8">
  <meta http-equiv="Content-Security-Policy" content="${policy}">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <link rel="stylesheet" href="${style}">
  <title>Signalbox</title>
</head>
<body>
  <main id="${name}"></main>
  <script nonce="${nonce}" src="${script}"></script>
</body>
</html>`;
}
