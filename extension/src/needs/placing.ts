// Places the rows of a list. The order is the server's, but nothing moves while somebody is
// at the list: new rows wait, and answered rows keep their place.

/** A row in a section of a list. */
export interface Placeable {
  readonly key: string;
  readonly section: string;
}

export interface Placed<R> {
  readonly row: R;
  /** Whether the server no longer has the row. It leaves once no one is at the list. */
  readonly gone: boolean;
  /** Whether the row came in after it had waited. It is shown below a line. */
  readonly fresh: boolean;
}

export class Placing<R extends Placeable> {
  /** The rows that the server listed last. */
  #latest: readonly R[] = [];
  #placed: readonly Placed<R>[] = [];
  /** The keys of rows that were answered by a key. They leave before the server knows. */
  readonly #left = new Set<string>();
  #begun = false;

  get placed(): readonly Placed<R>[] {
    return this.#placed;
  }

  /** The rows that wait to come in, in the server's order. */
  get waiting(): readonly R[] {
    const known = new Set(this.#placed.map(({ row }) => row.key));
    return this.#latest.filter(({ key }) => !known.has(key) && !this.#left.has(key));
  }

  /** Takes the server's rows. `held` is set while somebody is at the list. */
  update(rows: readonly R[], held: boolean): void {
    this.#latest = rows;
    const current = new Map(rows.map((row) => [row.key, row]));
    for (const key of this.#left) if (!current.has(key)) this.#left.delete(key);
    this.#placed = this.#placed.map(({ row, fresh }) => {
      const now = current.get(row.key);
      // A row stays in its section until the next settle.
      return now === undefined
        ? { row, gone: true, fresh }
        : { row: { ...now, section: row.section }, gone: false, fresh };
    });
    if (!held || !this.#begun) this.#settle(new Set());
    this.#begun = true;
  }

  /** Lets waiting rows in and removes gone rows, once no one is at the list. Reports any change. */
  settle(): boolean {
    const waiting = this.waiting;
    const before = this.#placed;
    this.#settle(new Set(waiting.map(({ key }) => key)));
    const same = (one: Placed<R>, at: number): boolean => one.row.key === before[at]?.row.key;
    return before.length !== this.#placed.length || !this.#placed.every(same);
  }

  /** Removes the rows that are gone, and moves nothing else. */
  sweep(): void {
    this.#placed = this.#placed.filter(({ gone }) => !gone);
  }

  /** Lets in the waiting rows, and moves nothing else. */
  letIn(): void {
    this.#placed = [
      ...this.#placed.map((one) => ({ ...one, fresh: false })),
      ...this.waiting.map((row) => ({ row, gone: false, fresh: true })),
    ];
  }

  /** Removes a row that was answered by a key. */
  leave(key: string): void {
    this.#left.add(key);
    this.#placed = this.#placed.filter(({ row }) => row.key !== key);
  }

  /** Brings back a row that left, since its answer was not given or was taken back. */
  back(key: string): void {
    if (!this.#left.delete(key)) return;
    const row = this.#latest.find((one) => one.key === key);
    if (row === undefined) return;
    const at = this.#latest.indexOf(row);
    const later = new Set(this.#latest.slice(at + 1).map((one) => one.key));
    const place = this.#placed.findIndex((one) => later.has(one.row.key));
    const made = { row, gone: false, fresh: false };
    this.#placed =
      place === -1
        ? [...this.#placed, made]
        : [...this.#placed.slice(0, place), made, ...this.#placed.slice(place)];
  }

  /** Puts all rows in the server's order. The fresh ones, which had to wait, come last. */
  #settle(fresh: ReadonlySet<string>): void {
    const kept = this.#latest.filter(({ key }) => !this.#left.has(key));
    const made = kept.map((row) => ({ row, gone: false, fresh: fresh.has(row.key) }));
    this.#placed = [...made.filter((one) => !one.fresh), ...made.filter((one) => one.fresh)];
  }
}

/** Returns the rows of a section, and the key of the first fresh one, which is below the line. */
export function sectionRows<R extends Placeable>(
  placed: readonly Placed<R>[],
  section: string,
): { readonly rows: readonly Placed<R>[]; readonly newFrom: string | undefined } {
  const rows = placed.filter(({ row }) => row.section === section);
  return { rows, newFrom: rows.find(({ fresh }) => fresh)?.row.key };
}
