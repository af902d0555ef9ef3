// What each board says to a screen reader, in this order: lines of the accessibility tree, or
// parts of them. There may be others between them.

export const sayings = {
  'needs-8-none': ['main "Needs You"', 'Nothing needs you.'],
  'needs-1-busy': [
    'main "Needs You"',
    /^heading "Blocked 5"/,
    /^button "Blocked 5" expanded/,
    /^button "release in release\/2.4.*[Ff]ailed.*1 hour/,
    /^button "coordinator .*Which payment provider stays\?.*41 minutes/,
    /^button "planner in feat\/sessions .*plan.*Move sessions to Postgres.*18 minutes/,
    /^button "coder in fix\/login wants to run git push --force-with-lease origin fix\/login, force push, waiting 12 minutes" expanded/,
    'git push --force-with-lease origin fix/login',
    /Force push/,
    /^button "Allow Force Push"/,
    /^button "Deny…"/,
    /^button "More Actions"/,
    /^button "docs in docs\/api wants to run rm -rf build && npm ci.*waiting 2 minutes" collapsed/,
    /^button "Questions 4" expanded/,
    /^button "reviewer .*Is a constant-time compare enough.*34 minutes/,
    /^button "planner .*Which database do we keep\?.*9 minutes/,
    /^button "docs .*May I rename “token” to “credential”\?.*5 minutes/,
    /^button "release .*Tag 2.4.0 today or after the audit\?/,
    /^button "Unanswered 16" collapsed/,
  ],
};
