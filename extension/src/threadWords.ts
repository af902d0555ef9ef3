// The words the thread view shows, in the user's language.

import * as vscode from 'vscode';
import type { ThreadWords } from './threadMessages';

export function threadWords(): ThreadWords {
  const mac = process.platform === 'darwin';
  return {
    loadOlder: vscode.l10n.t('Load older messages'),
    loading: vscode.l10n.t('Loading…'),
    newMarker: vscode.l10n.t('New'),
    jumpToNewest: vscode.l10n.t('New messages below'),
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
  };
}
