// The empty page a thread view starts from. Nothing of any message is in it:
// all content arrives by postMessage.

import * as vscode from 'vscode';

/**
 * The page, with a policy that allows our script, our style, and images that
 * are in the page itself: those of an agent's thread, checked by the server.
 * Nothing can be fetched.
 */
export function threadPage(webview: vscode.Webview, distFolder: vscode.Uri, nonce: string): string {
  const script = webview.asWebviewUri(vscode.Uri.joinPath(distFolder, 'thread.js')).toString();
  const style = webview.asWebviewUri(vscode.Uri.joinPath(distFolder, 'thread.css')).toString();
  const policy = [
    "default-src 'none'",
    `style-src ${webview.cspSource}`,
    'img-src data:',
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
  <main id="thread"></main>
  <script nonce="${nonce}" src="${script}"></script>
</body>
</html>`;
}
