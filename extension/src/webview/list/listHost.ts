// What a list shows, and what it asks of the page that it is on.

/** A row: its key is its own for as long as it is there. */
export interface ListRow {
  readonly key: string;
}

export interface ListSection<R> {
  readonly id: string;
  readonly title: string;
  readonly count: number;
  /** Whether it is folded until the user says otherwise. */
  readonly folded: boolean;
  readonly rows: readonly R[];
  /** The key of the first row below the line of those that came in last. */
  readonly newFrom?: string | undefined;
}

/** How a row is drawn. */
export interface RowLook {
  /** What tells the kind of the row by colour. */
  readonly class: string;
  /** An icon, line 1 and line 2. */
  readonly head: readonly (Element | undefined)[];
  /** Buttons on top of a row that is not open. */
  readonly tools?: HTMLElement | undefined;
  /** The row in one sentence. It may say how long something takes, and is asked again now and then. */
  label(): string;
  /** What is said of the part below the head. */
  readonly moreLabel: string;
  /** What VS Code's menu is told of the row. */
  readonly context?: Readonly<Record<string, string | boolean>>;
}

export interface ListHost<R> {
  /** Whether no row is open before the user opens one; else the first is. */
  readonly closedAtFirst?: boolean;
  /** Says what a row looks like. Rows with the same text here are not drawn again. */
  looks(row: R): string;
  draw(row: R): RowLook;
  /** Draws what an open row shows below its head. It may give back what it made for this row before. */
  more(row: R, before: HTMLElement | undefined): HTMLElement | undefined;
  /** Takes a key that the list itself has no use for. */
  key(event: KeyboardEvent, row: R | undefined): void;
  /** Enter on the head of a row. */
  enter(row: R): void;
  /** Something that is to be kept has changed: what is open, what is folded. */
  changed(): void;
  /** Escape leads out of the list. */
  leave(): void;
}

/** What is kept while the page is hidden. */
export interface ListState {
  readonly folded: Readonly<Record<string, boolean>>;
  readonly open: readonly string[];
  readonly current: string;
  readonly scroll: number;
}

export const noListState: ListState = { folded: {}, open: [], current: '', scroll: 0 };
