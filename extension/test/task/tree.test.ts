import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EscalationItem, EscalationPage } from '../../src/protocol';
import { taskCount, TasksModel, type TaskLists, type TaskNode } from '../../src/task/treeModel';
import { status } from '../samples';
import { escalation, escalationPage, rejected, ssot, task, tasksPage } from '../taskSamples';

/** A server with so much of each kind; answered escalations come in pages of two. */
class Lists implements TaskLists {
  answered: EscalationItem[] = [];
  page: Partial<EscalationPage> = {};
  asked: string[] = [];
  tasksHeld = 3;

  escalations(params: { open?: boolean; cursor?: string; limit?: number }): Promise<EscalationPage> {
    this.asked.push(params.limit === 1 ? 'counts' : 'answered');
    assert.equal(params.open, false);
    const start = Number(params.cursor ?? 0);
    const next = start + 2 < this.answered.length ? { nextCursor: String(start + 2) } : {};
    const counts = {
      critical: 0,
      warning: 0,
      info: 0,
      answered: this.answered.length,
      overdue: 0,
      rejected: 0,
    };
    return Promise.resolve(
      escalationPage({ items: this.answered.slice(start, start + 2), counts, ...next, ...this.page }),
    );
  }

  tasks(): Promise<ReturnType<typeof tasksPage>> {
    this.asked.push('tasks');
    return Promise.resolve(tasksPage([task('T-2026-001'), task('T-2026-002')]));
  }

  taskCount(): Promise<number> {
    return Promise.resolve(this.tasksHeld);
  }
}

const names = (rows: readonly TaskNode[]): string[] =>
  rows.map((row) => {
    switch (row.kind) {
      case 'escalation':
        return row.escalation.id;
      case 'folder':
        return `${row.folder} ${row.count}`;
      case 'more':
        return `more ${row.list}`;
      case 'rejected':
        return row.rejected.source;
      case 'task':
        return row.task.id;
    }
  });

async function loaded(lists: Lists): Promise<TasksModel> {
  const model = new TasksModel(lists);
  await model.reload();
  return model;
}

describe('TasksModel', () => {
  it('has folders for what there is', async () => {
    const lists = new Lists();
    lists.answered = [escalation('old', { open: false })];
    lists.page = {
      counts: { critical: 1, warning: 0, info: 0, answered: 1, overdue: 1, rejected: 2 },
      rejected: [rejected()],
    };
    const model = await loaded(lists);
    assert.deepEqual(names(model.folders), ['rejected 2', 'answered 1', 'tasks 3']);
    assert.deepEqual(names(await model.rowsOf('rejected')), ['messages/x.json']);
    assert.deepEqual(names(await model.rowsOf('tasks')), ['T-2026-001', 'T-2026-002']);
  });

  it('leaves out folders with nothing in them', async () => {
    const lists = new Lists();
    lists.tasksHeld = 0;
    assert.deepEqual((await loaded(lists)).folders, []);
  });

  it('fetches answered ones in pages', async () => {
    const lists = new Lists();
    lists.answered = ['x', 'y', 'z'].map((id) => escalation(id, { open: false }));
    // One reload fetches as much as fits a page of the view, whatever the server's pages are.
    assert.deepEqual(names(await (await loaded(lists)).rowsOf('answered')), ['x', 'y', 'z']);
  });

  it('fetches the folders that are open again, and no others', async () => {
    const lists = new Lists();
    lists.answered = [escalation('old', { open: false })];
    const model = await loaded(lists);
    assert.deepEqual(lists.asked, ['counts']);
    await model.rowsOf('answered');
    await model.rowsOf('tasks');
    model.close('tasks');
    lists.asked = [];
    await model.reload();
    assert.deepEqual(lists.asked, ['answered']);
  });
});

describe('what a status says', () => {
  it('how many tasks there are', () =>
    assert.equal(taskCount(status({ ssots: [ssot({ tasks: 2 }), ssot({ tasks: 5 })] })), 7));
});
