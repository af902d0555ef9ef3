// The button that starts an agent that was set up, in the thread that waits for its answer.

import type { FromView, StartOffer } from '../../thread/messages';
import { button, drawing, element, span } from '../dom';

export class StartBar {
  readonly root = element('section', { class: 'startBar' });
  readonly #post: (message: FromView) => void;

  constructor({ post }: { readonly post: (message: FromView) => void }) {
    this.#post = post;
    this.root.hidden = true;
  }

  show(start: StartOffer | undefined): void {
    this.root.hidden = start === undefined;
    if (start === undefined) return;
    const { note, button: label } = start;
    this.root.replaceChildren(
      drawing('play'),
      span(note),
      button(label, 'primary', () => this.#post({ type: 'start' })),
    );
  }
}
