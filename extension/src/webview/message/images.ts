// Images of an agent's thread. An image is requested when its figure comes near the visible
// part, arrives as a data: address, and is shown once it is decoded.

import { fill } from '../../fill';
import type { Image } from '../../thread/messages';
import type { AgentWords } from '../../thread/words';
import { button, drawing, element, span } from '../dom';

/** Images are requested for figures this close to the visible part. */
const preloadMargin = '300px';

export class Images {
  readonly #words: AgentWords;
  readonly #ask: (asset: string) => void;
  readonly #keepPlace: (figure: HTMLElement, change: () => void) => void;
  readonly #observer: IntersectionObserver;
  readonly #known = new Map<string, Image>();
  readonly #waiting = new Map<string, Set<HTMLElement>>();

  /** `ask` requests an image. `keepPlace` changes a figure's height without moving the visible text. */
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
      { root, rootMargin: preloadMargin },
    );
  }

  /** Makes the figure of an image, without the image until it comes near the visible part. */
  figure(asset: string, label: string): HTMLElement {
    const figure = element(
      'figure',
      { class: 'image', attributes: { 'data-asset': asset, 'data-label': label } },
      span(label, 'quiet'),
    );
    this.#observer.observe(figure);
    return figure;
  }

  /** Makes the figure of an image that cannot be shown, with the reason. */
  refused(fault: string): HTMLElement {
    return element('figure', { class: 'image refused' }, this.#placeholder(fault));
  }

  receive(asset: string, image: Image): void {
    this.#known.set(asset, image);
    const waiting = this.#waiting.get(asset) ?? [];
    this.#waiting.delete(asset);
    for (const figure of waiting) void this.#fill(figure, image);
  }

  /** Forgets the images of this thread. */
  clear(): void {
    this.#observer.disconnect();
    this.#known.clear();
    this.#waiting.clear();
  }

  #near(figure: HTMLElement): void {
    const asset = figure.dataset['asset'] ?? '';
    const known = this.#known.get(asset);
    const waiting = this.#waiting.get(asset);
    if (known !== undefined) void this.#fill(figure, known);
    else if (waiting !== undefined) waiting.add(figure);
    else {
      this.#waiting.set(asset, new Set([figure]));
      this.#ask(asset);
    }
  }

  async #fill(figure: HTMLElement, image: Image): Promise<void> {
    let fault = 'fault' in image ? image.fault : this.#words.damaged;
    if ('address' in image) {
      const picture = element('img');
      picture.alt = figure.dataset['label'] ?? '';
      picture.src = image.address;
      try {
        await picture.decode();
        this.#keepPlace(figure, () => figure.replaceChildren(this.#zoomable(picture)));
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

  /** Makes the button that shows an image as large as the page. Escape or another click closes the image. */
  #zoomable(picture: HTMLImageElement): HTMLElement {
    const open = button('', 'zoom', () => {
      const large = element('img');
      large.src = picture.src;
      large.alt = picture.alt;
      const close = button('', 'zoom', () => shown.close());
      close.setAttribute('aria-label', fill(this.#words.closeImage, picture.alt));
      close.append(large);
      const label = { 'aria-label': picture.alt };
      const shown = element('dialog', { class: 'zoomed', attributes: label }, close);
      shown.addEventListener('close', () => shown.remove());
      document.body.append(shown);
      shown.showModal();
    });
    open.setAttribute('aria-label', fill(this.#words.enlarge, picture.alt));
    open.append(picture);
    return open;
  }

  #placeholder(fault: string): HTMLElement {
    const text = fill(this.#words.notShown, fault);
    return element('span', { class: 'placeholder' }, drawing('warn'), span(text));
  }
}
