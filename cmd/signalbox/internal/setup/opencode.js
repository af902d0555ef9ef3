// hook opencode: Signalbox tells the agent of its mail. "signalbox setup" wrote this file, and
// "signalbox setup --remove" removes it.
import { spawn } from 'node:child_process'

const command = [/* command */]
const limit = 10_000

// hook runs Signalbox with an event and returns what it says, or nothing: whatever goes
// wrong, the agent must not notice.
function hook(event, input) {
  return new Promise((resolve) => {
    const child = spawn(command[0], [...command.slice(1), event], { stdio: ['pipe', 'pipe', 'ignore'] })
    const timer = setTimeout(() => child.kill(), limit)
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
  return {
    event: async ({ event }) => {
      const p = event.properties ?? {}
      if (event.type === 'session.created' && p.info?.parentID) subagents.add(p.info.id)
      if (event.type === 'permission.asked' || event.type === 'permission.updated') {
        const input = { command: p.metadata?.command, patterns: p.patterns }
        await hook('permission', { ...about(p.sessionID), tool_name: p.permission ?? p.type, tool_input: input })
      }
      if (event.type === 'question.asked') {
        await hook('permission', { ...about(p.sessionID), tool_name: 'question', tool_input: { questions: p.questions } })
      }
      if (event.type === 'session.deleted') await hook('end', about(p.info?.id))
      if (event.type === 'session.idle') {
        const said = await hook('stop', about(p.sessionID))
        if (said.decision === 'block') {
          await client.session.promptAsync({ path: { id: p.sessionID }, body: { parts: [{ type: 'text', text: said.reason }] } })
        }
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
