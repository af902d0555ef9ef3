// The rows and sections of a list, and the methods that the list calls on its page.

/** A row. Its key is unique and never changes. */
export interface ListRow {
  readonly key: string;
}

export interface ListSection<R> {
  readonly id: string;
  readonly title: string;
  readonly count: number;
  /** Whether it is folded until the user unfolds it. */
  readonly folded: boolean;
  readonly rows: readonly R[];
  /** The key of the first row below the line above new rows. */
  readonly newFrom?: string | undefined;
}

/** The look of a row. */
export interface RowLook {
  /** The class that sets the colour for the row's kind. */
  readonly class: string;
  /** An icon, line 1 and line 2. */
  readonly head: readonly (Element | undefined)[];
  /** Buttons on top of a row that is not open. */
  readonly tools?: HTMLElement | undefined;
  /** Returns the row in one sentence. It may contain a duration, so it is called again at intervals. */
  label(): string;
  /** The label of the part below the head. */
  readonly moreLabel: string;
  /** The facts about the row for VS Code's menu. */
  readonly context?: Readonly<Record<string, string | boolean>>;
}

export interface ListHost<R> {
  /** Whether no row is open until the user opens one. Otherwise the first is. */
  readonly closedAtFirst?: boolean;
  /** Returns a text for the look of a row. A row whose text stays the same is not redrawn. */
  lookKey(row: R): string;
  draw(row: R): RowLook;
  /** Draws the part of an open row below its head. It may return the element it made for the row before. */
  more(row: R, before: HTMLElement | undefined): HTMLElement | undefined;
  /** Handles a key that the list itself does not use. */
  key(event: KeyboardEvent, row: R | undefined): void;
  /** Handles Enter on the head of a row. */
  enter(row: R): void;
  /** Called after the open rows or folded sections have changed, so that they are saved. */
  changed(): void;
  /** Handles Escape, which leaves the list. */
  leave(): void;
}

/** The state of a list that is saved while the page is hidden. */
export interface ListState {
  readonly folded: Readonly<Record<string, boolean>>;
  readonly open: readonly string[];
  readonly current: string;
  readonly scroll: number;
}

export const noListState: ListState = { folded: {}, open: [], current: '', scroll: 0 };
