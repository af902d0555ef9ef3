// The values that the parts of the thread page share.

import type { Ref } from '../../protocol';
import type { FromView } from '../../thread/messages';
import type { ThreadWords } from '../../thread/words';
import type { CodeColours } from '../codeColours';
import type { Page } from '../frame';
import type { Images } from './images';

export interface ThreadPage extends Page<ThreadWords, FromView> {
  readonly images: Images;
  readonly colours: CodeColours;
  /** The name that the user reads and writes under. */
  readonly me: () => string;
  /** Brings another message into view. */
  reveal(message: Ref): void;
}
