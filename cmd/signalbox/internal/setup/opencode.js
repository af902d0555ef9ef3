// hook opencode: Signalbox tells the agent of its mail. "signalbox setup" wrote this file, and
// "signalbox setup --remove" removes it.
import { spawn } from 'node:child_process'

const command = [/* command */]
const limit = 10_000

// hook runs Signalbox with an event and returns what it says, or nothing: whatever goes
// wrong, the agent must not notice. keep takes a hook that waits, and ends it.
function hook(event, input, keep) {
  return new Promise((resolve) => {
    const child = spawn(command[0], [...command.slice(1), event], { stdio: ['pipe', 'pipe', 'ignore'] })
    const timer = keep ? keep(child) : setTimeout(() => child.kill(), limit)
    let out = ''
    child.on('error', () => resolve({}))
    child.stdin.on('error', () => {})
    child.stdout.setEncoding('utf8')
    child.stdout.on('data', (data) => (out += data))
    child.on('close', () => {
      clearTimeout(timer)
      try {
        resolve(out ? JSON.parse(out) : {})
      } catch {
        resolve({})
      }
    })
    child.stdin.end(JSON.stringify(input))
  })
}

export const Signalbox = async ({ client, directory }) => {
  const subagents = new Set()
  const about = (sessionId) => ({ sessionId, cwd: directory, ...(subagents.has(sessionId) ? { parentAgentId: 'parent' } : {}) })
  const started = new Set()
  // asked are the hooks that wait for the person, by what the program asks, each with its session.
  const asked = new Map()
  const forget = (which) => {
    for (const [id, { child, of }] of asked) if (which(id, of)) child.kill()
  }
  // ask has the person answer outside of the terminal, while the dialog there stays open.
  const ask = async (what, { id, sessionID }, input) => {
    const keep = (child) => void asked.set(id, { child, of: sessionID })
    const body = await hook('ask', { ...about(sessionID), ...input }, keep)
    asked.delete(id)
    if (!body.reply && !body.answers) return
    const headers = { 'content-type': 'application/json' }
    await client._client.post({ url: `/${what}/${encodeURIComponent(id)}/reply`, body, headers }).catch(() => {})
  }
  const prompt = (id, text) => client.session.promptAsync({ path: { id }, body: { parts: [{ type: 'text', text }] } })
  const waiters = new Map()
  process.on('exit', () => waiters.forEach((child) => child.kill()))
  // wait has an idle session go on when mail comes. Signalbox ends at once where another one
  // waits, and where the program ends after its answer.
  const wait = async (sessionId) => {
    if (waiters.has(sessionId)) return
    const keep = (child) => void waiters.set(sessionId, child)
    const said = await hook('wait', about(sessionId), keep)
    waiters.delete(sessionId)
    if (said.reason) await prompt(sessionId, said.reason).catch(() => {})
  }
  return {
    event: async ({ event }) => {
      const p = event.properties ?? {}
      if (event.type === 'session.created' && p.info?.parentID) subagents.add(p.info.id)
      if (event.type === 'permission.asked' || event.type === 'permission.updated') {
        const input = { command: p.metadata?.command, patterns: p.patterns, metadata: p.metadata }
        ask('permission', p, { tool_name: p.permission ?? p.type, tool_input: input, always: p.always })
      }
      if (event.type === 'question.asked') ask('question', p, { tool_name: 'question', tool_input: { questions: p.questions } })
      // Whoever answers in the terminal was first, and a turn that is over asks nothing.
      if (/^(permission|question)\.(replied|rejected)$/.test(event.type)) forget((id) => id === p.requestID)
      if (['session.idle', 'session.error', 'session.deleted'].includes(event.type)) {
        forget((_, of) => of === (p.sessionID ?? p.info?.id))
      }
      if (event.type === 'session.deleted') await hook('end', about(p.info?.id))
      if (event.type === 'session.idle') {
        const said = await hook('stop', about(p.sessionID))
        if (said.decision === 'block') await prompt(p.sessionID, said.reason)
        else if (!subagents.has(p.sessionID)) wait(p.sessionID)
      }
    },
    'chat.message': async (input, output) => {
      const session = input.sessionID ?? output.message?.sessionID
      const event = started.has(session) ? 'prompt' : 'start'
      started.add(session)
      const said = await hook(event, about(session))
      if (event === 'start') await hook('prompt', about(session))
      const first = output.parts[0]
      if (said.additionalContext && first) {
        output.parts.push({
          id: 'prt_signalbox' + Date.now().toString(36), messageID: first.messageID, sessionID: first.sessionID,
          type: 'text', synthetic: true, text: said.additionalContext,
        })
      }
    },
    'tool.execute.after': async (input, output) => {
      const said = await hook('tool', about(input.sessionID))
      if (said.additionalContext && typeof output.output === 'string') output.output += '\n' + said.additionalContext
    },
  }
}
