// The changed files of a work tree, a branch or a thread, as the entries of VS Code's editor for
// several files. It knows no VS Code.

import type { ChangedFile, ChangesPage, FileEditRef, Ref, UnshownReason } from '../../protocol';
import { readRef } from '../../refs';

/** What one side of an entry shows. */
export type SideText =
  /** A text that git has. */
  | { readonly kind: 'blob'; readonly folder: string; readonly name: string }
  /** The pieces before or after the edits of an agent. */
  | { readonly kind: 'edits'; readonly edits: readonly FileEditRef[]; readonly side: 'old' | 'new' }
  /** Why nothing is shown. */
  | { readonly kind: 'unshown'; readonly why: UnshownReason }
  /** How much more there is. */
  | { readonly kind: 'more'; readonly files: number; readonly cut: boolean };

/** What one side of an entry is: a document of ours, or the file on the disk. */
export type Side = SideText | 'disk' | undefined;

/** One file. */
export interface ChangeEntry {
  /** With slashes, relative to the work tree if it lies there. */
  readonly path: string;
  /** Whether it lies in the work tree. */
  readonly inside: boolean;
  readonly before: Side;
  readonly after: Side;
}

/** The most edits of one file that are shown, the newest. */
const editsMost = 50;

/** Returns the entries, and last one that says what is missing. */
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
    const last = edits.slice(-editsMost);
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
export function joined(pieces: readonly string[]): string {
  return pieces.map((piece) => piece.replace(/\n$/, '')).join('\n\n⋯\n\n') + (pieces.length > 0 ? '\n' : '');
}

/** Returns what an address names. The address may come from a restored tab. */
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
