// The agents' threads of the fake server: a project with three worktrees, one of
// them removed, all made up. In the mode "hostile" they contain what a broken
// server would let through.

const minute = 60_000;
const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAIAAAACUFjqAAAAEklEQVR4nGP4z8CAB+GTG8HSALfKY52fTcuYAAAAAElFTkSuQmCC';

const worktree = (id, title, change = {}) => ({
  id,
  kind: 'worktree',
  opened: true,
  title,
  path: `/projects/${id}`,
  branch: title,
  threads: 1,
  unread: 0,
  lastTime: Date.now() - 5 * minute,
  ...change,
});

const groups = [
  worktree('shop', 'main', { main: true }),
  worktree('shop-audio', 'feature/audio', { threads: 1 }),
  worktree('shop-empty', 'spike/nothing', { threads: 0, lastTime: 0 }),
  worktree('shop-old', 'spike/cache', {
    gone: true,
    note: 'worktree removed, of its threads only the list is left',
  }),
];

/** The groups, the mail first. */
export const agentGroups = (mail) => [{ id: 'mail', kind: 'mail', title: 'Mail', ...mail }, ...groups];

const ref = (group, id) => ({ protocol: 'atsf', store: group, id });

function thread(group, dir, title, minutes, change = {}, agent = {}) {
  return {
    ref: ref(group, `t/${dir}`),
    protocol: 'atsf',
    title,
    participants: ['Claude Code'],
    lastFrom: 'Claude Code',
    lastTo: '',
    lastTime: Date.now() - minutes * minute,
    firstTime: Date.now() - (minutes + 90) * minute,
    count: 4,
    unread: 0,
    needsReply: false,
    mine: false,
    preview: '',
    marks: [],
    group,
    agent: { name: 'Claude Code', branch: 'main', dir, threadId: dir, toolCalls: 5, ...agent },
    ...change,
  };
}

const threads = [
  thread('shop', 'a1', 'Compare the password in constant time', 12),
  thread('shop-audio', 'b2', 'Add audio notes', 300, { count: 2 }, { branch: 'feature/audio', parent: 'a1' }),
  thread('shop-old', 'c3', 'Cache the price list', 9000, { marks: ['gone'] }, { branch: 'spike/cache' }),
];

const tool = (index, name, title, status, change = {}) => ({
  kind: 'tool',
  tool: {
    index,
    name,
    title,
    status,
    kind: 'read',
    duration: 340,
    input: '{"path":"src/auth.ts"}',
    output: 'export const ok = true;',
    locations: [{ path: 'src/auth.ts', line: 14 }],
    ...change,
  },
});

function message(of, number, role, parts, change = {}) {
  const dir = of.ref.id.slice(2);
  return {
    ref: ref(of.ref.store, `m/${dir}/${number}`),
    id: `msg-${number}`,
    from: role === 'agent' ? 'Claude Code' : role,
    to: '',
    time: of.lastTime - (10 - number) * minute,
    mine: role === 'user',
    unread: false,
    html: '',
    text: `Said by ${role}.\n\n> thought\n\n\`\`\`diff\n-old\n+new\n\`\`\``,
    chars: 20,
    truncated: false,
    idForm: '',
    trust: { level: 'ok', label: "the agent's own log", detail: 'ATSF has no signatures.' },
    marks: [],
    origin: { log: 'messages.jsonl', line: number },
    turn: { role, parts },
    ...change,
  };
}

function messages(of, hostile) {
  const bad = hostile
    ? '<script>document.title="owned"</script><img src="data:image/svg+xml,<svg/>" onerror="alert(1)">'
    : '';
  return [
    message(of, 1, 'user', [
      { kind: 'text', html: `<p>Fix the comparison in <code>auth.ts</code>.</p>${bad}` },
      { kind: 'image', label: 'image image/png', asset: 'sha256-0123456789abcdef.png' },
      { kind: 'image', label: 'image image/png', asset: 'sha256-ffffffffffffffff.png' },
      { kind: 'image', label: 'image image/png', fault: 'L4: "../../secret.txt" names no asset' },
    ]),
    message(of, 2, 'agent', [
      { kind: 'thinking', html: `<p>The comparison stops at the first difference.</p>${bad}` },
      { kind: 'text', html: '<p>I read the file first.</p>' },
      tool(0, 'Read', 'Read auth.ts', 'completed'),
      tool(1, 'Edit', 'Edit auth.ts', 'completed', {
        kind: 'edit',
        output: '',
        diff: { path: 'src/auth.ts', added: 3, removed: 1 },
      }),
      tool(2, 'Bash', 'npm test', 'failed', { kind: 'execute', duration: 72_000, output: '1 failing' }),
      tool(3, 'Bash', 'npm test', 'running', { kind: 'execute', duration: -1, output: '' }),
      tool(4, 'Wait', '', 'suspended', { kind: '', duration: -1, input: '', output: '', locations: [] }),
    ]),
    message(of, 3, '', [], { turn: { role: '', gap: 'M2: is not a JSON object', parts: [] } }),
    message(of, 4, 'agent', [
      { kind: 'other', label: 'block of type "video"' },
      { kind: 'text', html: '<p>Done.</p>', cut: true },
    ]),
  ];
}

const markup = '<img src=x onerror="document.title=`owned`"><a href="command:y">x</a>';

/** What no server would send: markup wherever there is text. */
const hostileRequest = {
  id: '00000001-aaaaaaaa',
  hash: 'x',
  kind: 'plan',
  tool: markup,
  input: [{ name: markup, text: markup }],
  questions: [{ header: markup, text: markup, options: [{ label: markup, description: markup }] }],
  plan: markup,
  planHtml: `<p>The plan.</p>${markup}<script>document.title="owned"</script>`,
  modes: [markup],
  rules: [markup],
  since: 0,
  until: 0,
};

/** The threads of all worktrees, newest first. */
export const agentThreads = () => threads;

/** The page of a thread or message of an agent; undefined for any other. */
export function agentPage(target, hostile) {
  const name = target.id.split('/')[1];
  const found = threads.find(
    (candidate) => candidate.ref.store === target.store && candidate.ref.id === `t/${name}`,
  );
  if (target.protocol !== 'atsf' || found === undefined) return undefined;
  const page = { thread: found, messages: messages(found, hostile), related: [], warnings: [], revision: 1 };
  return hostile ? { ...page, requests: [hostileRequest] } : page;
}

/** One picture is there, and everything else is not what its name says. */
export function agentAsset(asset, hostile) {
  if (hostile) {
    return {
      asset,
      mimeType: 'image/svg+xml',
      base64: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>').toString(
        'base64',
      ),
    };
  }
  return asset.includes('0123456789abcdef') ? { asset, mimeType: 'image/png', base64: png } : undefined;
}

export const agentDiff = () => ({
  path: 'src/auth.ts',
  created: false,
  old: 'export const same = (a, b) => a == b;\n',
  new: 'import { timingSafeEqual } from "node:crypto";\n\nexport const same = timingSafeEqual;\n',
});
