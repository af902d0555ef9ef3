// The rows of the inbox's tree. VS Code identifies a row by its object, so a row that shows the
// same content stays the same object.

import { refKey } from '../refs';
import type { ThreadItem } from '../protocol';
import type { InboxModel } from './model';
import type { InboxNode } from './rows';

export class Nodes {
  readonly #model: InboxModel;
  readonly #nodes = new Map<string, InboxNode>();

  constructor(model: InboxModel) {
    this.#model = model;
  }

  /** Returns the view's row for a node, which is the known one if it shows the same content. */
  of(node: InboxNode): InboxNode {
    const id =
      node.kind === 'thread' ? refKey(node.thread.ref) : node.kind === 'group' ? node.group.id : node.group;
    const key = `${node.kind}:${id ?? ''}`;
    const known = this.#nodes.get(key);
    if (known !== undefined && contentOf(known) === contentOf(node)) return known;
    this.#nodes.set(key, node);
    return node;
  }

  /** Returns the rows below a row whose threads were fetched, or the top rows. */
  below(node: InboxNode | undefined): InboxNode[] {
    if (node === undefined) {
      const groups = this.#model.groups;
      return groups.length === 0 ? this.#rows() : groups.map((group) => this.of({ kind: 'group', group }));
    }
    if (node.kind === 'older') return this.#olderRows(node.group);
    return node.kind === 'group' ? this.#rows(node.group.id) : [];
  }

  parentOf(node: InboxNode): InboxNode | undefined {
    if (node.kind === 'group') return undefined;
    const id = node.kind === 'thread' ? node.thread.group : node.group;
    const group = this.#model.groups.find((one) => one.id === id);
    const fold = node.kind === 'thread' ? this.#foldOf(node.thread, group?.id) : undefined;
    return fold ?? (group === undefined ? undefined : this.of({ kind: 'group', group }));
  }

  /** Forgets the rows of threads that are no longer listed. */
  forget(): void {
    const listed = new Set(this.#model.threads.map(({ ref }) => `thread:${refKey(ref)}`));
    for (const key of this.#nodes.keys()) {
      if (key.startsWith('thread:') && !listed.has(key)) this.#nodes.delete(key);
    }
  }

  /** Returns the fold that a thread is in, or undefined. */
  #foldOf(thread: ThreadItem, group: string | undefined): InboxNode | undefined {
    const { older, count } = this.#model.folded(group, Date.now());
    return older.includes(thread) ? this.of({ kind: 'older', group, count }) : undefined;
  }

  #rows(group?: string): InboxNode[] {
    const { shown, count, moreInside } = this.#model.folded(group, Date.now());
    const rows = shown.map((thread) => this.of({ kind: 'thread', thread }));
    if (count > 0) rows.push(this.of({ kind: 'older', group, count }));
    if (this.#model.hasMore(group) && !moreInside) rows.push(this.of({ kind: 'more', group }));
    return rows;
  }

  #olderRows(group: string | undefined): InboxNode[] {
    const { older, moreInside } = this.#model.folded(group, Date.now());
    const rows = older.map((thread) => this.of({ kind: 'thread', thread }));
    if (moreInside) rows.push(this.of({ kind: 'more', group }));
    return rows;
  }
}

/** Returns a row's content. It is the same object if nothing new was fetched. */
function contentOf(node: InboxNode): unknown {
  if (node.kind === 'older') return node.count;
  return node.kind === 'thread' ? node.thread : node.group;
}
