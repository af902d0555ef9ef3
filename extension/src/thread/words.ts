// The words the thread view shows, in the user's language.

import * as vscode from 'vscode';
import { signedWords } from './signedL10n';
import type { AgentWords, ThreadWords } from './messages';

export function threadWords(): ThreadWords {
  const mac = process.platform === 'darwin';
  return {
    loadOlder: vscode.l10n.t('Load older messages'),
    loadNewer: vscode.l10n.t('Load newer messages'),
    loading: vscode.l10n.t('Loading…'),
    newMarker: vscode.l10n.t('New'),
    jumpToNewest: vscode.l10n.t('New messages below'),
    jumpToEnd: vscode.l10n.t('To the newest message'),
    jumpToNew: vscode.l10n.t('New reply'),
    copy: vscode.l10n.t('Copy'),
    copied: vscode.l10n.t('Copied'),
    reply: vscode.l10n.t('Reply'),
    replyPlaceholder: vscode.l10n.t('Write a reply. Markdown works.'),
    send: vscode.l10n.t('Send'),
    sending: vscode.l10n.t('Sending…'),
    sendHint: mac ? vscode.l10n.t('⌘↩ sends') : vscode.l10n.t('Ctrl+Enter sends'),
    cancelReply: vscode.l10n.t('Answer the thread instead'),
    to: vscode.l10n.t('to'),
    you: vscode.l10n.t('you'),
    messages: vscode.l10n.t('Messages'),
    messageCount: vscode.l10n.t('{0} messages', '{0}'),
    oneMessage: vscode.l10n.t('1 message'),
    truncated: vscode.l10n.t('This message is longer than what is shown.'),
    openAsText: vscode.l10n.t('Open as text'),
    retry: vscode.l10n.t('Try again'),
    empty: vscode.l10n.t('This thread has no messages.'),
    notReached: vscode.l10n.t('The message is further up than what was loaded.'),
    idForms: {
      spaced: '',
      compact: vscode.l10n.t('id in compact form'),
      'ascii-escaped': vscode.l10n.t('id in ASCII-escaped form'),
      unnormalised: vscode.l10n.t('id over unnormalised text'),
      wrong: vscode.l10n.t('id does not match the content'),
      missing: vscode.l10n.t('no id'),
    },
    agent: agentWords(),
    signed: signedWords(),
  };
}

function agentWords(): AgentWords {
  return {
    roles: {
      user: vscode.l10n.t('user'),
      agent: vscode.l10n.t('agent'),
      system: vscode.l10n.t('system'),
    },
    statuses: {
      pending: vscode.l10n.t('pending'),
      running: vscode.l10n.t('running'),
      completed: vscode.l10n.t('completed'),
      failed: vscode.l10n.t('failed'),
    },
    toolCalls: vscode.l10n.t('{0} tool calls', '{0}'),
    oneToolCall: vscode.l10n.t('1 tool call'),
    branch: vscode.l10n.t('branch {0}', '{0}'),
    forkOf: vscode.l10n.t('fork of {0}', '{0}'),
    faulty: vscode.l10n.t('thread.json cannot be read: {0}', '{0}'),
    remarks: vscode.l10n.t('{0} remarks about this thread', '{0}'),
    related: vscode.l10n.t('Related:'),
    relatedMail: vscode.l10n.t('Mail: {0} ({1})', '{0}', '{1}'),
    relatedAgent: vscode.l10n.t('Agent: {0} ({1})', '{0}', '{1}'),
    ownLog: vscode.l10n.t("This is the agent's own log: it cannot be answered here."),
    writeMail: vscode.l10n.t('Write Mail About This Thread'),
    thinking: vscode.l10n.t('Thinking'),
    tool: vscode.l10n.t('Tool'),
    places: vscode.l10n.t('Places'),
    input: vscode.l10n.t('Input'),
    output: vscode.l10n.t('Output'),
    nothing: vscode.l10n.t('No input or output was recorded.'),
    cut: vscode.l10n.t('Longer than what is shown.'),
    openDiff: vscode.l10n.t('Open diff'),
    newFile: vscode.l10n.t('new file'),
    added: vscode.l10n.t('{0} lines added', '{0}'),
    removed: vscode.l10n.t('{0} lines removed', '{0}'),
    notShown: vscode.l10n.t('Image not shown: {0}', '{0}'),
    damaged: vscode.l10n.t('the image is damaged'),
    gap: vscode.l10n.t('Line {0} is no message: {1}', '{0}', '{1}'),
    stopped: vscode.l10n.t('stopped: {0}', '{0}'),
  };
}
