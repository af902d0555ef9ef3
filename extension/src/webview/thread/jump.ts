// The button that jumps to the end of a thread or to a new message, and the choice of the place
// that the page shows after an update.

import { fill } from '../../fill';
import type { MessageItem, Ref, ThreadItem } from '../../protocol';
import { refKey } from '../../refs';
import type { ThreadWords } from '../../thread/words';
import { button, drawing, element } from '../dom';
import type { Place } from './place';
import type { Goal, Wanted } from './rows';

/** The distance of the first unread message from the top when a thread opens, as a part of the height. */
const unreadFromTop = 0.25;

/** The page's view before an update. */
export interface ViewBefore {
  readonly other: boolean;
  readonly place: { readonly row: string; readonly offset: number } | undefined;
  readonly atEnd: boolean;
  readonly last: Wanted | undefined;
  readonly keys: ReadonlySet<string>;
}

export class Jump {
  readonly root: HTMLButtonElement;
  readonly #to = element('span');
  readonly #words: ThreadWords;
  readonly #locale: string;
  /** A new reply, which may be anywhere in the tree. */
  #fresh: Ref | undefined;
  /** Whether the user asked for the end of the thread, which the next update contains. */
  endWanted = false;

  constructor(words: ThreadWords, locale: string, press: () => void) {
    this.#words = words;
    this.#locale = locale;
    this.root = button('', 'jump', press);
    this.root.append(drawing('down'), this.#to);
    this.root.hidden = true;
  }

  get fresh(): Ref | undefined {
    return this.#fresh;
  }

  hide(): void {
    this.root.hidden = true;
  }

  /** Hides the button after its jump. */
  done(): void {
    this.#fresh = undefined;
    this.hide();
  }

  /** Forgets the target of another thread's button. */
  reset(): void {
    this.#fresh = undefined;
    this.endWanted = false;
  }

  /** Returns the place that a hidden page had saved. */
  backTo(place: Place, wanted: readonly Wanted[], newer: boolean): Goal {
    const newest = wanted.at(-1)?.key;
    this.#to.textContent = newer ? this.#words.jumpToEnd : this.#words.jumpToNewest;
    this.root.hidden = !newer && (newest === undefined || newest === place.newest);
    return place;
  }

  /** Returns the end if the user asked for it or has no place, otherwise the reader's place. */
  toPart(place: Goal | undefined, newer: boolean): Goal {
    const end = this.endWanted || place === undefined;
    this.reset();
    this.#to.textContent = this.#words.jumpToEnd;
    this.root.hidden = !newer;
    return end ? 'end' : place;
  }

  /** Returns the row of the first unread message, a quarter below the top. The button skips the unread ones. */
  toUnread(row: string, unread: number, height: number): Goal {
    this.#to.textContent = fill(this.#words.jumpPastUnread, unread.toLocaleString(this.#locale));
    this.root.hidden = false;
    return { row, offset: height * unreadFromTop };
  }

  /** Returns the end for a new thread or a reader at the end. Other readers stay and get a button. */
  toNews(
    thread: ThreadItem,
    messages: readonly MessageItem[],
    wanted: readonly Wanted[],
    before: ViewBefore,
  ): Goal | undefined {
    const last = wanted.at(-1);
    const grew = last?.key !== before.last?.key || last?.content !== before.last?.content;
    const isNew = ({ ref, unread }: MessageItem): boolean => unread && !before.keys.has(refKey(ref));
    const fresh = thread.amp === undefined ? undefined : messages.find(isNew)?.ref;
    const atEnd = fresh === undefined || refKey(fresh) === last?.key;
    if (before.other || (grew && before.atEnd && atEnd)) {
      this.hide();
      return 'end';
    }
    if (before.place === undefined) return undefined;
    if (!atEnd) this.#fresh = fresh;
    if (!grew && atEnd) return before.place;
    const { jumpToNew, jumpToNewest } = this.#words;
    this.#to.textContent = this.#fresh === undefined ? jumpToNewest : jumpToNew;
    this.root.hidden = false;
    return before.place;
  }
}
