// The context keys for the menus of the thread in front.

import { aliasOf, canResume } from '../agent/resume';
import type { ThreadItem } from '../protocol';
import { setContext } from '../views/notify';

/** Sets the keys. `answers` is set if the thread asks something that has options. */
export function describeActive(thread: ThreadItem | undefined, answers: boolean): void {
  const kind = thread?.agent === undefined ? 'mail' : 'agent';
  void setContext('signalbox.activeThread', kind);
  void setContext('signalbox.activeArchive', archiveState(thread));
  void setContext('signalbox.activeAlias', thread !== undefined && aliasOf(thread) !== '');
  void setContext('signalbox.activeAnswers', answers);
  void setContext('signalbox.activeResume', thread !== undefined && canResume(thread));
}

/** Returns "out" if the thread can be archived, "in" if it is in the archive. */
function archiveState(thread: ThreadItem | undefined): 'out' | 'in' | '' {
  if (thread === undefined || thread.marks.includes('suspicious')) return '';
  return thread.archived === true ? 'in' : 'out';
}
