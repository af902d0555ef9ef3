// The images and colours that a thread's page asks for.

import * as vscode from 'vscode';
import type { Ref } from '../protocol';
import { whyWords } from '../server/failureWords';
import { describeError } from '../server/failures';
import type { ThreadHost } from './host';
import { imageAddress, type FromView, type ToView } from './messages';

export class Assets {
  readonly #host: ThreadHost;
  readonly #post: (message: ToView) => void;

  constructor(host: ThreadHost, post: (message: ToView) => void) {
    this.#host = host;
    this.#post = post;
  }

  /** Sends an image to the page. The server has checked its name, digest and first bytes. */
  async image(ref: Ref, asset: string): Promise<void> {
    try {
      const answer = await this.#host.server.request('signalbox/thread/asset', { ref, asset });
      const address = imageAddress(answer);
      const image =
        address === undefined ? { fault: vscode.l10n.t('it is not a supported image') } : { address };
      this.#post({ type: 'image', asset, image });
    } catch (error) {
      // The page adds that the words are about an image.
      const fault = whyWords(error, vscode.l10n.t);
      this.#post({ type: 'image', asset, image: { fault } });
    }
  }

  /** Sends the coloured runs of a piece of code, if its language is known. */
  async colour({ code, id, language }: Extract<FromView, { readonly type: 'colour' }>): Promise<void> {
    const runs = await this.#host.colouring.runs(code, language);
    if (runs !== undefined) this.#post({ type: 'coloured', id, runs });
  }

  /** Sends the colours of a theme. If the theme cannot be read, the page uses its own colours. */
  async paint(theme: string): Promise<void> {
    try {
      this.#post({ type: 'painted', theme, colours: await this.#host.themeColours(theme) });
    } catch (error) {
      this.#host.server.log.debug(`theme: ${describeError(error)}`);
    }
  }
}
