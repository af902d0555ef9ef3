// The changed files of a work tree, a branch or a thread, as the entries of VS Code's editor for
// several files. It does not import vscode.

import type { ChangedFile, ChangesPage, FileEditRef, Ref, UnshownReason } from '../../protocol';
import { readRef } from '../../refs';

/** The text that one side of an entry shows. */
export type SideText =
  /** A text stored in git. */
  | { readonly kind: 'blob'; readonly folder: string; readonly name: string }
  /** The pieces before or after the edits of an agent. */
  | { readonly kind: 'edits'; readonly edits: readonly FileEditRef[]; readonly side: 'old' | 'new' }
  /** The reason why nothing is shown. */
  | { readonly kind: 'unshown'; readonly why: UnshownReason }
  /** The number of files that are not listed, and whether older messages were skipped. */
  | { readonly kind: 'more'; readonly files: number; readonly cut: boolean };

/** One side of an entry: a document of ours, or the file on disk. */
export type Side = SideText | 'disk' | undefined;

/** One changed file. */
export interface ChangeEntry {
  /** With slashes, and relative to the work tree if the file is in it. */
  readonly path: string;
  /** Whether the file is in the work tree. */
  readonly inside: boolean;
  readonly before: Side;
  readonly after: Side;
}

/** The largest number of edits shown for one file. The newest are shown. */
const maxEdits = 50;

/** Returns the entries. If files are missing, a last entry reports how many. */
export function entriesOf(page: ChangesPage, folder: string): readonly ChangeEntry[] {
  const entries = page.files.map((file) => entryOf(file, folder));
  const { cut = false, more = 0 } = page;
  if (!cut && more === 0) return entries;
  const rest: ChangeEntry = {
    path: '…',
    inside: false,
    before: undefined,
    after: { kind: 'more', files: more, cut },
  };
  return [...entries, rest];
}

function entryOf(file: ChangedFile, folder: string): ChangeEntry {
  const { after = '', before = '', edits = [], path, status, unshown } = file;
  const where = { path, inside: !/^([/\\]|[a-zA-Z]:)/.test(path) };
  const blob = (name: string): Side => (name === '' ? undefined : { kind: 'blob', folder, name });
  if (unshown !== undefined) return { ...where, before: undefined, after: { kind: 'unshown', why: unshown } };
  if (status === undefined) {
    const last = edits.slice(-maxEdits);
    return {
      ...where,
      before: { kind: 'edits', edits: last, side: 'old' },
      after: { kind: 'edits', edits: last, side: 'new' },
    };
  }
  const now = after !== '' ? blob(after) : status === 'deleted' ? undefined : 'disk';
  return { ...where, before: status === 'added' ? undefined : blob(before), after: now };
}

/** Joins the pieces of a file that edits changed. */
export function joinPieces(pieces: readonly string[]): string {
  return pieces.map((piece) => piece.replace(/\n$/, '')).join('\n\n⋯\n\n') + (pieces.length > 0 ? '\n' : '');
}

/** Returns the side that an address names. The address may come from a restored tab. */
export function parseSide(query: string): SideText | undefined {
  let value: unknown;
  try {
    value = JSON.parse(query);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null || !('kind' in value)) return undefined;
  const text = (name: string): string | undefined => {
    const member = (value as Readonly<Record<string, unknown>>)[name];
    return typeof member === 'string' ? member : undefined;
  };
  switch (value.kind) {
    case 'blob': {
      const [folder, name] = [text('folder'), text('name')];
      return folder === undefined || name === undefined ? undefined : { kind: 'blob', folder, name };
    }
    case 'edits': {
      const side = text('side') === 'old' ? 'old' : 'new';
      const edits = 'edits' in value && Array.isArray(value.edits) ? value.edits.map(editOf) : [];
      return { kind: 'edits', edits: edits.filter((edit) => edit !== undefined), side };
    }
    case 'unshown':
      return { kind: 'unshown', why: (text('why') ?? 'unreadable') as UnshownReason };
    case 'more': {
      const files = 'files' in value && typeof value.files === 'number' ? value.files : 0;
      return { kind: 'more', files, cut: 'cut' in value && value.cut === true };
    }
    default:
      return undefined;
  }
}

function editOf(value: unknown): FileEditRef | undefined {
  if (typeof value !== 'object' || value === null || !('message' in value) || !('tool' in value))
    return undefined;
  const message: Ref | undefined = readRef(value.message);
  return message === undefined || typeof value.tool !== 'number' ? undefined : { message, tool: value.tool };
}
