// What each board says to a screen reader, in this order: lines of the accessibility tree, or
// parts of them. There may be others between them.

export const sayings = {
  'needs-8-none': ['main "Needs You"', 'Nothing needs you.'],
  'needs-1-busy': [
    'main "Needs You"',
    /^heading "Blocked 5"/,
    /^button "Blocked 5" expanded/,
    /^button "release in release\/2.4.*[Ff]ailed.*1 hour/,
    /^button "coordinator .*Which payment provider stays\?.*4\d minutes/,
    /^button "planner in feat\/sessions .*plan.*Move sessions to Postgres.*1\d minutes/,
    /^button "coder in fix\/login wants to run git push --force-with-lease origin fix\/login, force push, waiting 1\d minutes" expanded/,
    'git push --force-with-lease origin fix/login',
    /Force push/,
    /^button "Allow Force Push"/,
    /^button "Deny…"/,
    /^button "More Actions"/,
    /^button "docs in docs\/api wants to run rm -rf build && npm ci.*waiting \d+ minutes" collapsed/,
    /^button "Questions 4" expanded/,
    /^button "reviewer .*Is a constant-time compare enough.*3\d minutes/,
    /^button "planner .*Which database do we keep\?.*\d+ minutes/,
    /^button "docs .*May I rename “token” to “credential”\?.*\d+ minutes/,
    /^button "release .*Tag 2.4.0 today or after the audit\?/,
    /^button "Unanswered 16" collapsed/,
  ],
};
