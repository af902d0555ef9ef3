// The views of tasks and escalations that are open.

import type { Ref } from '../protocol';
import { TaskView, type ShowTask, type TaskHost } from './view';
import { ViewTabs } from '../views/tabs';

export class TaskViews extends ViewTabs<ShowTask, TaskView> {
  constructor(host: Omit<TaskHost, 'open'>) {
    const whole: TaskHost = {
      ...host,
      open: (ref) => this.open(ref),
    };
    super({
      type: 'signalbox.task',
      icon: 'task',
      resources: host.resources,
      ahead: host.ahead,
      make: (panel, ref, onDispose) => new TaskView(whole, panel, ref, onDispose),
    });
  }

  /** Opens an escalation, a task, or the task of a message at that message. */
  open(ref: Ref, options: ShowTask = {}): void {
    this.openTab(ref, options, { wantsText: options.focusAnswer });
  }
}
