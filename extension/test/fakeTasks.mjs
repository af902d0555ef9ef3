// One task (AMP/1.0) for the fake server: locked, escalated, with a timeline,
// something overdue, something rejected, and an issue. With hostile set, its
// texts hold what a broken sanitizer would let through.

const now = Date.now();
const minutes = (count) => now - count * 60_000;
const ref = (id) => ({ protocol: 'agn', store: 'fake-ssot', id });
const taskId = 'T-2026-044';

const evil =
  `<script>document.title='owned'</script><img src="https://example.com/x.png" onerror="alert(1)">` +
  `<a href="command:workbench.action.quit">quit</a><iframe src="https://example.com"></iframe>` +
  `<p onclick="alert(1)" style="color:red">`;

export class FakeTasks {
  #hostile;
  #answer;
  #acked = 0;
  #tokens = [];

  constructor(hostile) {
    this.#hostile = hostile;
  }

  /** What the status says of tasks. */
  status(readOnly) {
    const ssot = {
      path: '/fake/.ssot',
      origin: '.ssot in the workspace',
      store: 'fake-ssot',
      own: true,
      exists: true,
      writable: !readOnly,
      watching: 'notify',
      watchdog: false,
      tasks: 1,
      messages: 3,
      rejected: 1,
    };
    return { ssots: [ssot], ...this.counts() };
  }

  counts() {
    const critical = this.#answer === undefined ? 1 : 0;
    return { critical, overdue: 1, needs: critical + 1 };
  }

  methods() {
    return {
      'signalbox/escalation/list': ({ open, severity }) => this.#list(open, severity),
      'signalbox/needs/list': () => this.#needs(),
      'signalbox/task/list': () => ({ tasks: [this.#task()], revision: 1, warnings: [] }),
      'signalbox/task/get': () => this.#page(),
      'signalbox/escalation/preview': (params) => this.#preview(params),
      'signalbox/escalation/respond': (params) => this.#respond(params),
      'signalbox/message/ack': () => {
        this.#acked = Date.now();
        return { ref: ref(`m/${taskId}/escalation`), task: this.#task(), path: '/fake/.ssot/acks/x.json' };
      },
      'signalbox/issue/list': () => ({ issues: [], revision: 1, warnings: [] }),
    };
  }

  #html(text) {
    return `${this.#hostile ? evil : '<p>'}${text}</p>`;
  }

  #task() {
    const open = this.#answer === undefined;
    return {
      ref: ref(`t/${taskId}`),
      id: taskId,
      title: this.#hostile ? '<b>Rebuild</b> [x](command:y) the engine' : 'Rebuild the engine',
      phase: open ? 'locked' : 'resumed',
      state: open ? 'stopped after 3 rejections in a row' : 'running again',
      repo: '/repo',
      branch: 'feature/x',
      risk: 'medium',
      rejects: 3,
      rejectLimit: 3,
      lockNear: true,
      lock: open ? 'three rejections in a row' : '',
      suspended: open ? ['coordinator', 'executor', 'reviewer'] : [],
      nextWho: open ? 'admin' : 'coordinator',
      nextDo: open ? 'respond' : 'dispatch',
      overdue: 1,
      open: open ? 1 : 0,
      silent: false,
      messages: 3,
      lastTime: minutes(2),
    };
  }

  #escalation() {
    const suggested = [
      { text: 'Split the task into smaller subtasks', action: 'split' },
      { text: this.#hostile ? '[run](command:z) <img src=x>' : 'Terminate the task', action: 'terminate' },
    ];
    return {
      ref: ref(`m/${taskId}/escalation`),
      id: `escalation-${taskId}-1`,
      task: this.#task(),
      kind: 'hallucination_lock',
      label: 'Stopped after 3 rejections',
      severity: 'critical',
      from: 'coordinator',
      triggeredBy: 'executor',
      time: minutes(2),
      title: 'The same error came back three times.',
      html: this.#html('The same error came back three times.'),
      text: 'The same error came back three times.',
      open: this.#answer === undefined,
      ...(this.#answer === undefined ? {} : { answer: this.#answer }),
      acked: this.#acked,
      late: false,
      suspended: this.#task().suspended,
      affected: [
        {
          id: `review_verdict-${taskId}-3`,
          ref: ref(`m/${taskId}/verdict`),
          label: 'review verdict, rejected',
        },
        { id: 'task_dispatch-T-2026-043-1', label: 'not in the task directory' },
      ],
      snapshot: { status: 'locked', rejectCount: 3 },
      suggested,
      warnings: [],
    };
  }

  #overdue() {
    return {
      ref: ref(`m/${taskId}/verdict`),
      task: ref(`t/${taskId}`),
      taskId,
      kind: 'ack_timeout',
      label: 'Not confirmed',
      who: 'coordinator',
      since: minutes(3),
      text: 'The coordinator has not acknowledged the verdict.',
    };
  }

  #needs() {
    const escalation = this.#escalation();
    const { needs } = this.counts();
    const open = escalation.open
      ? [{ kind: 'escalation', section: 'blocked', urgent: true, time: minutes(2), escalation }]
      : [];
    const items = [
      ...open,
      { kind: 'overdue', section: 'blocked', urgent: false, time: minutes(3), overdue: this.#overdue() },
    ];
    const none = { unanswered: [], questions: 0, unansweredTotal: 0, revision: 1, warnings: [] };
    return { ...none, items, total: needs, blocked: needs };
  }

  #list(open, severity) {
    const item = this.#escalation();
    const wanted = (open ?? item.open) === item.open && (severity ?? 'critical') === 'critical';
    const { critical, overdue } = this.counts();
    return {
      items: wanted ? [item] : [],
      counts: { critical, warning: 0, info: 0, answered: 1 - critical, overdue, rejected: 1 },
      overdue: [this.#overdue()],
      rejected: [this.#rejected()],
      revision: 1,
      warnings: [],
    };
  }

  #rejected() {
    return {
      source: `messages/${taskId}/bad.json`,
      path: '',
      store: 'fake-ssot',
      id: `task_dispatch-${taskId}-9`,
      taskId,
      time: minutes(9),
      logged: true,
      faults: [{ rule: 'D3', field: 'payload.branch', reason: 'the branch is main' }],
    };
  }

  #page() {
    const step = (name, type, from, to, ago, title, more) => ({
      kind: 'message',
      ref: ref(`m/${taskId}/${name}`),
      id: `${type}-${taskId}-${ago}`,
      type,
      from,
      to,
      time: minutes(ago),
      title,
      points: [],
      tone: '',
      ack: { state: 'none' },
      html: this.#html(title),
      text: title,
      path: '',
      warnings: [],
      ...more,
    });
    const timeline = [
      step('dispatch', 'task_dispatch', 'coordinator', 'executor', 30, 'dispatch: 2 subtasks', {
        ack: { state: 'acknowledged', by: 'executor', time: minutes(29) },
      }),
      step('verdict', 'review_verdict', 'reviewer', 'coordinator', 4, 'verdict: rejected', {
        tone: 'bad',
        ack: { state: 'overdue', deadline: minutes(3) },
      }),
      step(
        'escalation',
        'escalation',
        'coordinator',
        'admin',
        2,
        'critical escalation: Stopped after 3 rejections',
        {
          tone: 'alarm',
        },
      ),
    ];
    if (this.#answer !== undefined) {
      const { action, time } = this.#answer;
      timeline.push(
        step('escalation', '', 'admin', 'coordinator', 0, `answer: ${action}`, { kind: 'resume', time }),
      );
    }
    return {
      task: this.#task(),
      timeline,
      text: timeline.map(({ from, to, title }) => `${from} -> ${to}  ${title}`).join('\n'),
      rejected: [this.#rejected()],
      warnings: [],
      revision: 1,
    };
  }

  #preview({ action = 'redirect', body }) {
    const empty = action === 'redirect' && body.trim() === '';
    return {
      record: `{\n  "action": "${action}",\n  "text": ${JSON.stringify(body)}\n}\n`,
      path: '/fake/.ssot/resumes/x.json',
      effect: 'The task goes on.',
      canRespond: !empty,
      warnings: empty
        ? [{ severity: 'error', rule: 'X9', field: 'body', message: 'A redirect needs a text.' }]
        : [],
    };
  }

  /** Fails the first time, as when an answer is lost; the same token then finds the answer written. */
  #respond({ action, body, clientToken }) {
    this.#tokens.push(clientToken);
    if (this.#tokens.length === 1) {
      throw Object.assign(new Error('the disk went away'), {
        code: 1005,
        data: { code: 'StoreUnavailable', retryable: true, detail: '' },
      });
    }
    const same = this.#tokens.every((token) => token === clientToken);
    const text = `${body} (${same ? 'the same token' : 'another token'})`;
    this.#answer = { action, text, time: Date.now() };
    return { ref: ref(`m/${taskId}/escalation`), task: this.#task(), path: '/fake/.ssot/resumes/x.json' };
  }
}
