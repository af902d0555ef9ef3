// Images of an agent's thread. Each is asked for when its place comes near to
// what is seen, arrives as a data: address, and is shown once it is decoded.

import { fill } from '../fill';
import type { Image } from '../thread/messages';
import type { AgentWords } from '../thread/words';
import { drawing, element } from './dom';

/** So far beyond the edge of what is seen, images are asked for. */
const ahead = '300px';

export class Images {
  readonly #words: AgentWords;
  readonly #ask: (asset: string) => void;
  readonly #keepPlace: (figure: HTMLElement, change: () => void) => void;
  readonly #observer: IntersectionObserver;
  readonly #known = new Map<string, Image>();
  readonly #waiting = new Map<string, Set<HTMLElement>>();

  /** keepPlace changes the height of a figure without moving what is read. */
  constructor(
    root: HTMLElement,
    words: AgentWords,
    ask: (asset: string) => void,
    keepPlace: (figure: HTMLElement, change: () => void) => void,
  ) {
    this.#words = words;
    this.#ask = ask;
    this.#keepPlace = keepPlace;
    this.#observer = new IntersectionObserver(
      (entries) => {
        for (const { isIntersecting, target } of entries) {
          if (!isIntersecting || !(target instanceof HTMLElement)) continue;
          this.#observer.unobserve(target);
          this.#near(target);
        }
      },
      { root, rootMargin: ahead },
    );
  }

  /** The place of an image, empty until it is near. */
  figure(asset: string, label: string): HTMLElement {
    const figure = element(
      'figure',
      { class: 'image', attributes: { 'data-asset': asset, 'data-label': label } },
      element('span', { class: 'quiet', text: label }),
    );
    this.#observer.observe(figure);
    return figure;
  }

  /** The place of an image that cannot be shown, with the reason. */
  refused(fault: string): HTMLElement {
    return element('figure', { class: 'image refused' }, this.#placeholder(fault));
  }

  /** Takes what the extension says of an image. */
  receive(asset: string, image: Image): void {
    this.#known.set(asset, image);
    const waiting = this.#waiting.get(asset) ?? [];
    this.#waiting.delete(asset);
    for (const figure of waiting) void this.#fill(figure, image);
  }

  /** Another thread is shown: nothing of this one is kept. */
  clear(): void {
    this.#observer.disconnect();
    this.#known.clear();
    this.#waiting.clear();
  }

  #near(figure: HTMLElement): void {
    const asset = figure.dataset['asset'] ?? '';
    const known = this.#known.get(asset);
    if (known !== undefined) {
      void this.#fill(figure, known);
      return;
    }
    const waiting = this.#waiting.get(asset);
    if (waiting !== undefined) {
      waiting.add(figure);
      return;
    }
    this.#waiting.set(asset, new Set([figure]));
    this.#ask(asset);
  }

  async #fill(figure: HTMLElement, image: Image): Promise<void> {
    let fault = 'fault' in image ? image.fault : this.#words.damaged;
    if ('address' in image) {
      const picture = element('img');
      picture.alt = figure.dataset['label'] ?? '';
      picture.src = image.address;
      try {
        await picture.decode();
        this.#keepPlace(figure, () => figure.replaceChildren(picture));
        return;
      } catch {
        fault = this.#words.damaged;
      }
    }
    this.#keepPlace(figure, () => {
      figure.classList.add('refused');
      figure.replaceChildren(this.#placeholder(fault));
    });
  }

  #placeholder(fault: string): HTMLElement {
    const text = fill(this.#words.notShown, fault);
    return element('span', { class: 'placeholder' }, drawing('warn'), element('span', { text }));
  }
}
