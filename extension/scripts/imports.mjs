// An ESLint rule: what a file of src may import. A folder imports only from the folders below it,
// and files must not import one another in a circle, not even for types.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

const src = join(import.meta.dirname, '..', 'src');

/** The folders of src, the lowest first. extension.ts is a folder of its own: it puts the others together. */
const folders = [
  ...['.', 'code', 'server', 'views', 'agent', 'signed', 'request', 'compose'],
  ...['thread/changes', 'thread/files', 'thread/foot', 'thread'],
  ...['setup', 'inbox', 'task', 'needs', 'links', 'agents'],
  ...['webview', 'webview/list', 'webview/request', 'webview/message'],
  ...['webview/thread', 'webview/task', 'webview/needs', 'webview/agents', 'webview/doctor'],
  ...['extension.ts', 'browser'],
];

function folderOf(file) {
  const path = relative(src, file).split(sep).join('/');
  return path === 'extension.ts' ? path : dirname(path);
}

/** Returns the file of src that a file imports by this name, or undefined. */
function imported(file, name) {
  const path = `${join(dirname(file), name)}.ts`;
  return name.startsWith('.') && existsSync(path) ? path : undefined;
}

/** Reports whether a file imports another, directly or through other files of its folder. */
function reaches(file, wanted, seen = new Set()) {
  if (file === wanted) return true;
  if (seen.has(file) || folderOf(file) !== folderOf(wanted)) return false;
  seen.add(file);
  const names = readFileSync(file, 'utf8').matchAll(/\b(?:from|import)\s*\(?\s*'(\.[^']+)'/g);
  return [...names].some(([, name]) => reaches(imported(file, name) ?? '', wanted, seen));
}

function create(context) {
  const file = context.filename;
  const check = ({ source }) => {
    const target = imported(file, String(source?.value ?? ''));
    if (target === undefined) return;
    const [from, to] = [folderOf(file), folderOf(target)];
    const data = { from, to };
    if (!folders.includes(from)) context.report({ node: source, messageId: 'unknown', data });
    else if (folders.indexOf(to) > folders.indexOf(from))
      context.report({ node: source, messageId: 'upwards', data });
    else if (reaches(target, file)) context.report({ node: source, messageId: 'circle' });
  };
  return {
    ImportDeclaration: check,
    ExportNamedDeclaration: check,
    ExportAllDeclaration: check,
    ImportExpression: check,
    TSImportType: check,
  };
}

const messages = {
  unknown: 'scripts/imports.mjs does not list the folder {{from}}.',
  upwards: '{{from}} must not import from {{to}}: scripts/imports.mjs lists {{to}} above it.',
  circle: 'This file imports the one that it is imported from.',
};

export const imports = { rules: { downwards: { meta: { type: 'problem', schema: [], messages }, create } } };
