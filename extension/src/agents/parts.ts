// Makes the parts around agents and connects them.

import type * as vscode from 'vscode';
import type { Terminals } from '../agent/terminals';
import type { Ref } from '../protocol';
import type { Server } from '../server/client';
import { ChangeEditors } from '../thread/changes/changeEditors';
import type { AgentCommandParts } from './commands';
import { AgentList } from './list';
import { AgentsTabs } from './tab';
import { AgentsView, agentsViewId } from './view';
import { agentsWords } from './words';

/** What these parts need from the rest of the extension. */
interface Needed {
  readonly server: Server;
  readonly resources: vscode.Uri;
  readonly terminals: Terminals;
  readonly openThread: (ref: Ref) => void;
  readonly continueWith: (ref: Ref, text: string) => Promise<boolean>;
  readonly front: () => { readonly ref: Ref; readonly title: string } | undefined;
}

export interface AgentParts extends AgentCommandParts {
  readonly disposables: readonly vscode.Disposable[];
}

export function makeAgentParts(needed: Needed): AgentParts {
  const { resources, server } = needed;
  const changes = new ChangeEditors(server);
  const list = new AgentList(server);
  const parts = { ...needed, changes, list };
  const kind = { server, resources, page: 'agents', words: agentsWords } as const;
  const side = { ...kind, id: agentsViewId, focusKey: 'signalbox.agentsFocused' };
  const view = new AgentsView(side, parts);
  const tabs = new AgentsTabs(kind, parts);
  return { ...parts, view, tabs, disposables: [changes, list, view, tabs] };
}
