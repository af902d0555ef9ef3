#!/usr/bin/env node
// A fake signalbox server for tests of the extension: it speaks
// the JSON-RPC protocol over stdio and keeps mail in the same log files, but
// knows only what the tests need. It polls, renders Markdown poorly, and
// misbehaves on request. SIGNALBOX_FAKE names how:
//
//   (empty)    answers properly
//   crash      ends with status 3 while it starts
//   garbage    writes output that is not JSON-RPC
//   old        speaks no version of the protocol
//   hostile    sends the HTML a broken sanitizer would let through, in mail, agents' threads and tasks
//   signed     has a thread of signed mail beside the other mail
//   tasks      has a task with an escalation; the first answer to it is lost
//   agents     has agents' threads in worktrees beside the mail
//   crashlater ends with status 4 when asked for the inbox a second time

import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { agentAsset, agentDiff, agentGroups, agentPage, agentThreads } from './fakeAgents.mjs';
import { mailRoots, signedContext, signedFile, signedPage, signedThread } from './fakeSigned.mjs';
import { FakeTasks } from './fakeTasks.mjs';

const mode = process.env.SIGNALBOX_FAKE ?? '';
const hostile = mode === 'hostile';
const agents = mode === 'agents' || hostile;
const signed = mode === 'signed' || hostile;
if (mode === 'crash') {
  process.stderr.write('fake: told to crash\n');
  process.exit(3);
}

const tasks = mode === 'tasks' || mode === 'hostile' ? new FakeTasks(mode === 'hostile') : undefined;

let settings = {};
let messages = [];
let signature = '';
let revision = 0;
let listed = 0;
const read = new Set();
const unread = new Set();
const sent = new Map();

const directory = () => settings.directories?.[0] ?? process.env.AGENT_MESSAGE_DIR ?? '';
const alias = () => settings.alias ?? '';
const ref = (id) => ({ protocol: 'samp', store: 'fake', id });

/** SAMP's canonical form: sorted keys, Python's default separators. */
export function sampId({ ts, from, to, thread, body }) {
  const quote = (text) => JSON.stringify(text);
  const canonical = `{"body": ${quote(body)}, "from": ${quote(from)}, "thread": ${quote(thread)}, "to": ${quote(to)}, "ts": ${ts}}`;
  return createHash('sha256').update(canonical).digest('hex').slice(0, 16);
}

function logs() {
  if (!existsSync(directory())) return [];
  return readdirSync(directory()).filter((name) => /^log-.*\.jsonl$/.test(name));
}

function load() {
  const next = logs()
    .map((name) => `${name}:${statSync(join(directory(), name)).size}`)
    .join();
  if (next === signature) return false;
  signature = next;
  messages = [];
  for (const name of logs()) {
    const lines = readFileSync(join(directory(), name), 'utf8').split('\n');
    lines.forEach((line, index) => {
      try {
        const record = JSON.parse(line);
        if (typeof record.body === 'string') messages.push({ ...record, log: name, line: index + 1 });
      } catch {
        // A line that is not a record is skipped, as in the real server.
      }
    });
  }
  messages.sort((a, b) => a.ts - b.ts);
  revision++;
  return true;
}

const isUnread = (message) => message.to === alias() && (unread.has(message.id) || !read.has(message.id));

function threads() {
  const groups = new Map();
  for (const message of messages) {
    if (!groups.has(message.thread)) groups.set(message.thread, []);
    groups.get(message.thread).push(message);
  }
  return [...groups.entries()]
    .map(([name, group]) => threadItem(name, group))
    .sort((a, b) => b.lastTime - a.lastTime);
}

function threadItem(name, group) {
  const last = group.at(-1);
  return {
    ref: ref(`thread:${name}`),
    protocol: 'samp',
    title: shown(name),
    participants: [...new Set(group.flatMap((message) => [message.from, message.to]))].map(shown),
    lastFrom: shown(last.from),
    lastTo: shown(last.to),
    lastTime: last.ts * 1000,
    firstTime: group[0].ts * 1000,
    count: group.length,
    unread: group.filter(isUnread).length,
    needsReply: last.to === alias(),
    mine: group.some((message) => message.from === alias() || message.to === alias()),
    preview: shown(last.body).replace(/\s+/g, ' ').slice(0, 200),
    marks: group.some((message) => sampId(message) !== message.id) ? ['suspicious'] : [],
    group: 'mail',
  };
}

function groups() {
  const mail = { threads: threads().length, unread: counts().unread, lastTime: Date.now() };
  const all = agentGroups(mail);
  return agents ? all : all.slice(0, 1);
}

const counts = () => ({
  revision,
  unread: messages.filter(isUnread).length,
  needsReply: threads().filter((thread) => thread.needsReply && thread.unread > 0).length,
});

function shown(text) {
  return text.replace(
    // eslint-disable-next-line no-control-regex -- naming control characters is the point
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g,
    (c) => {
      return `⟨U+${c.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`;
    },
  );
}

const escape = (text) =>
  text.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]);

function html(body) {
  if (mode === 'hostile') {
    return (
      `<script>document.title='owned'</script><img src="https://example.com/x.png" onerror="alert(1)">` +
      `<a href="command:workbench.action.quit">quit</a><a href="javascript:alert(1)">js</a>` +
      `<iframe src="https://example.com"></iframe><p onclick="alert(1)" style="color:red">${escape(shown(body))}</p>`
    );
  }
  return shown(body)
    .split(/\n```\w*\n([\s\S]*?)\n```/)
    .map((part, index) => (index % 2 === 1 ? `<pre><code>${escape(part)}\n</code></pre>` : paragraphs(part)))
    .join('');
}

function paragraphs(text) {
  return text
    .split(/\n\n+/)
    .filter((part) => part.trim() !== '')
    .map((part) => `<p>${inline(escape(part)).replace(/\n/g, '<br>')}</p>`)
    .join('');
}

function inline(text) {
  return text
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
    .replace(/(^|\s)(https:\/\/[^\s<]+)/g, '$1<a href="$2">$2</a>');
}

function messageItem(message) {
  const right = sampId(message) === message.id;
  return {
    ref: ref(`message:${message.id}`),
    id: message.id,
    from: shown(message.from),
    to: shown(message.to),
    time: message.ts * 1000,
    mine: message.from === alias(),
    unread: isUnread(message),
    html: html(message.body),
    text: shown(message.body),
    chars: message.body.length,
    truncated: false,
    idForm: right ? 'spaced' : 'wrong',
    trust: right
      ? { level: 'ok', label: 'id matches', detail: 'The id is the hash of what the message says.' }
      : {
          level: 'warn',
          label: 'id does not match',
          detail: 'The text or the id was changed after writing.',
        },
    marks: [],
    origin: { log: message.log, line: message.line },
  };
}

function inThread(target) {
  const message = messages.find((candidate) => target.id === `message:${candidate.id}`);
  const name = message?.thread ?? target.id.replace(/^thread:/, '');
  const group = messages.filter((candidate) => candidate.thread === name);
  if (group.length === 0) throw rpcError(1001, 'no such thread', 'NotFound');
  return { name, group };
}

function rpcError(code, message, name) {
  return Object.assign(new Error(message), { code, data: { code: name, retryable: false, detail: '' } });
}

function status() {
  return {
    version: '0.0.0-fake',
    alias: alias(),
    aliasOrigin: 'setting signalbox.alias',
    aliasValid: alias() !== '',
    profile: 'v1',
    profileOrigin: 'auto',
    directories: [
      {
        path: directory(),
        origin: settings.directories === undefined ? 'AGENT_MESSAGE_DIR' : 'setting',
        ok: existsSync(directory()),
        exists: existsSync(directory()),
        writable: true,
        store: 'fake',
        logs: logs().length,
        messages: messages.length,
        malformed: 0,
        suspicious: 0,
      },
    ],
    limits: { bodyChars: 65536, pageMax: 200, refsMax: 50, frameBytes: 16777216 },
    linkPatterns: [
      { kind: 'samp-id', pattern: '\\b[0-9a-f]{16}\\b', flags: '' },
      { kind: 'samp-thread', pattern: '\\b\\d{4}-\\d{2}-\\d{2}-[A-Za-z0-9._-]+', flags: '' },
    ],
    indexing: false,
    readOnly: settings.readOnly === true,
    ...counts(),
    projects: [],
    ssots: [],
    mailRoots: signed ? mailRoots : [],
    critical: 0,
    overdue: 0,
    needs: 0,
    ...tasks?.status(settings.readOnly === true),
    warnings: [],
  };
}

function preview(draft) {
  const thread = draft.thread ?? `${new Date().toISOString().slice(0, 10)}-${alias()}-${slug(draft.body)}`;
  const warnings = [];
  if (draft.to === '') warnings.push(draftWarning('error', 'L2', 'to', 'Name the recipient.'));
  if (draft.body.trim() === '') warnings.push(draftWarning('error', 'R4', 'body', 'The message is empty.'));
  if (/\.env\b/.test(draft.body))
    warnings.push(draftWarning('warning', 'X1', 'body', 'This mentions a secrets file.'));
  return {
    record: '',
    id: '',
    thread,
    to: draft.to,
    from: alias(),
    log: `log-${alias()}.jsonl`,
    profile: 'v1',
    canSend: warnings.every((warning) => warning.severity !== 'error') && settings.readOnly !== true,
    warnings,
    protocol: 'samp',
  };
}

const draftWarning = (severity, rule, field, message) => ({ severity, rule, field, message });

const slug = (body) =>
  body
    .split('\n', 1)[0]
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 40) || 'msg';

const noTasks = () => ({
  items: [],
  tasks: [],
  issues: [],
  counts: { critical: 0, warning: 0, info: 0, answered: 0, overdue: 0, rejected: 0 },
  overdue: [],
  rejected: [],
  revision,
  warnings: [],
});

const methods = {
  'signalbox/escalation/list': noTasks,
  'signalbox/needs/list': () => ({
    items: [],
    unanswered: [],
    total: 0,
    blocked: 0,
    questions: 0,
    unansweredTotal: 0,
    revision,
    warnings: [],
  }),
  'signalbox/agents/list': () => ({ agents: [], revision, warnings: [] }),
  'signalbox/task/list': noTasks,
  'signalbox/issue/list': noTasks,
  ...tasks?.methods(),
  initialize(params) {
    settings = params.initializationOptions ?? {};
    load();
    const experimental = mode === 'old' ? {} : { signalbox: { min: 1, max: 1, features: [] } };
    return {
      capabilities: {
        textDocumentSync: 1,
        hoverProvider: true,
        executeCommandProvider: { commands: ['signalbox.status', 'signalbox.inbox', 'signalbox.reply'] },
        experimental,
      },
      serverInfo: { name: 'fake', version: '0' },
    };
  },
  shutdown: () => null,
  'workspace/executeCommand': () => ({ text: '## Status\n\nThis is the fake server.', data: status() }),
  'signalbox/status': status,
  'signalbox/inbox/list'({ filter = {}, cursor, limit = 50 }) {
    listed++;
    if (mode === 'crashlater' && listed > 1) process.exit(4);
    const start = cursor === undefined ? 0 : Number(cursor);
    const own = [...(agents ? agentThreads() : []), ...(signed ? [signedThread(hostile)] : [])];
    const all = [...own, ...threads()].filter(
      (thread) =>
        (!filter.group || thread.group === filter.group) &&
        (!filter.unread || thread.unread > 0) &&
        (!filter.mine || thread.mine) &&
        (!filter.suspicious || thread.marks.length > 0) &&
        (!filter.text || thread.title.includes(filter.text) || thread.preview.includes(filter.text)),
    );
    const page = all.slice(start, start + limit);
    const next = start + limit < all.length ? { nextCursor: String(start + limit) } : {};
    return {
      threads: page,
      ...next,
      ...counts(),
      suspicious: 0,
      groups: groups(),
      revision,
      warnings: [],
    };
  },
  'signalbox/sessions/all'({ text = '' }) {
    const { threads } = methods['signalbox/inbox/list']({ filter: { text }, limit: 50 });
    return { threads: threads.filter(({ agent }) => agent !== undefined), groups: groups() };
  },
  'signalbox/inbox/lists'({ filter = {}, lists }) {
    const wishes = lists.length > 0 ? lists : [{}];
    return {
      pages: wishes.map(({ group, limit }) =>
        methods['signalbox/inbox/list']({
          filter: { ...filter, ...(group === undefined ? {} : { group }) },
          limit,
        }),
      ),
    };
  },
  'signalbox/thread/get'({ ref: target, before, side, limit = 50 }) {
    const own = agentPage(target, hostile) ?? signedPage(target, hostile);
    if (own !== undefined) return own;
    const { name, group } = inThread(target);
    const at = group.findIndex((message) => target.id === `message:${message.id}`);
    const place = { before: at, after: at + 1 + limit, around: at + Math.ceil(limit / 2) };
    const end = Math.min(
      group.length,
      side !== undefined ? place[side] : before === undefined ? group.length : Number(before),
    );
    const start = Math.max(side === 'after' ? at + 1 : 0, end - limit);
    const cursor = {
      ...(start > 0 ? { before: String(start) } : {}),
      ...(end < group.length ? { after: String(end) } : {}),
    };
    return {
      thread: threadItem(name, group),
      messages: group.slice(start, end).map(messageItem),
      ...cursor,
      related: [],
      warnings: [],
      revision,
    };
  },
  'signalbox/thread/asset'({ asset }) {
    const image = agentAsset(asset, mode === 'hostile');
    if (image === undefined) throw rpcError(1006, 'image: its digest is another', 'Malformed');
    return image;
  },
  'signalbox/thread/diff': agentDiff,
  'signalbox/attachment/open': signedFile,
  'signalbox/link/resolve'({ refs }) {
    return refs.map((token) => {
      const message = messages.find((candidate) => candidate.id === token);
      const group = messages.filter((candidate) => candidate.thread === (message?.thread ?? token));
      if (group.length === 0) return { token, status: 'missing' };
      const last = message ?? group.at(-1);
      const text = shown(last.body).replace(/[\\`*_{}[\]()#+!<>|~&-]/g, '\\$&');
      return {
        token,
        status: 'found',
        kind: message === undefined ? 'thread' : 'message',
        title: shown(last.thread),
        thread: ref(`thread:${last.thread}`),
        ...(message === undefined ? {} : { message: ref(`message:${message.id}`) }),
        preview: `**${last.from} → ${last.to}**\n\n${text}`,
      };
    });
  },
  'signalbox/compose/context'({ ref: target }) {
    const people = [...new Set(messages.flatMap((message) => [message.from, message.to]))].filter(
      (name) => name !== alias(),
    );
    const canSend = settings.readOnly !== true && alias() !== '';
    const base = {
      from: alias(),
      recipients: people.map((name) => ({ alias: name, lastTime: Date.now() - 3_600_000 })),
      threads: threads().map((thread) => ({
        name: thread.title,
        title: thread.preview,
        with: thread.participants,
        ref: thread.ref,
      })),
      canSend,
      reason: canSend ? '' : 'This workspace is not trusted: Signalbox only reads.',
    };
    if (target === undefined) return base;
    if (target.protocol === 'amp') return signedContext(target);
    if (target.protocol === 'atsf')
      return { ...base, draft: { to: '', thread: target.id.split('/')[1], body: '' } };
    const { name, group } = inThread(target);
    const toMe = group.findLast((message) => message.to === alias());
    const other = toMe?.from ?? group.at(-1).to;
    return { ...base, draft: { to: other, thread: name, body: '', replyTo: target } };
  },
  'signalbox/compose/preview': ({ draft }) => preview(draft),
  'signalbox/message/send'({ draft, clientToken }) {
    const done = sent.get(clientToken);
    if (done !== undefined) return done;
    if (settings.readOnly === true) throw rpcError(1008, 'this workspace is not trusted', 'Untrusted');
    const dry = preview(draft);
    if (!dry.canSend) throw rpcError(1006, dry.warnings[0].message, 'Malformed');
    const record = {
      ts: Math.floor(Date.now() / 1000),
      from: alias(),
      to: draft.to,
      thread: dry.thread,
      body: draft.body,
    };
    const id = sampId(record);
    appendFileSync(join(directory(), dry.log), `${JSON.stringify({ id, ...record })}\n`);
    const result = {
      ref: ref(`message:${id}`),
      thread: ref(`thread:${dry.thread}`),
      id,
      threadName: dry.thread,
    };
    sent.set(clientToken, result);
    changed();
    return result;
  },
  'signalbox/read/set'({ refs, read: value }) {
    for (const target of refs) {
      for (const message of inThread(target).group) {
        if (value) {
          read.add(message.id);
          unread.delete(message.id);
        } else unread.add(message.id);
      }
    }
    changed(true);
    return counts();
  },
  'signalbox/read/all'() {
    const marked = threads().filter((thread) => thread.unread > 0);
    const refs = marked.map((thread) => thread.ref);
    return { ...methods['signalbox/read/set']({ refs, read: true }), threads: marked.length };
  },
};

const notifications = {
  'workspace/didChangeConfiguration'(params) {
    settings = params.settings.signalbox;
    signature = '';
    load();
    notify('signalbox/didChangeStatus', status());
  },
  exit() {
    process.exit(0);
  },
  'textDocument/didOpen'(params) {
    process.stderr.write(`fake: a document was sent: ${params.textDocument.uri}\n`);
  },
};

function changed(force = false) {
  if (!load()) {
    if (!force) return;
    revision++;
  }
  notify('signalbox/didChange', {
    revision,
    kinds: tasks === undefined ? ['messages', 'read'] : ['messages', 'read', 'tasks'],
    refs: [],
    truncated: true,
    ...counts(),
    critical: 0,
    overdue: 0,
    needs: 0,
    ...tasks?.counts(),
  });
}

function write(message) {
  const text = JSON.stringify({ jsonrpc: '2.0', ...message });
  process.stdout.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
}

const notify = (method, params) => write({ method, params });

function receive({ id, method, params }) {
  if (id === undefined) {
    notifications[method]?.(params);
    return;
  }
  if (mode === 'garbage') {
    process.stdout.write(
      'Content-Length: 5\r\n\r\n{{{{{Content-Length: 4\r\n\r\n,,,,Content-Length: 1\r\n\r\n!Content-Length: 1\r\n\r\n!',
    );
    return;
  }
  try {
    const run = methods[method];
    if (run === undefined) throw rpcError(-32601, `no method ${method}`, 'Unsupported');
    write({ id, result: run(params ?? {}) });
  } catch (error) {
    write({ id, error: { code: error.code ?? -32603, message: error.message, data: error.data } });
  }
}

let buffer = Buffer.alloc(0);
process.stdin.on('data', (chunk) => {
  buffer = Buffer.concat([buffer, chunk]);
  for (;;) {
    const head = buffer.indexOf('\r\n\r\n');
    if (head < 0) return;
    const length = Number(/Content-Length: (\d+)/i.exec(buffer.subarray(0, head).toString())?.[1]);
    if (buffer.length < head + 4 + length) return;
    const text = buffer.subarray(head + 4, head + 4 + length).toString();
    buffer = buffer.subarray(head + 4 + length);
    receive(JSON.parse(text));
  }
});
process.stdin.on('end', () => process.exit(0));
setInterval(() => changed(), 100);
