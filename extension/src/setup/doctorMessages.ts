// The messages between the doctor and its page.

import type { CommonMessage } from '../views/messages';
import type { DoctorSection } from './doctorModel';

export type ToDoctor =
  { readonly type: 'report'; readonly sections: readonly DoctorSection[] } | { readonly type: 'looking' };

/** `step` is a button: the numbers of its section, its row and of the button itself. */
export type FromDoctor =
  | CommonMessage
  | { readonly type: 'step'; readonly section: number; readonly row: number; readonly step: number };
