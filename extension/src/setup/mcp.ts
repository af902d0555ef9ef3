// The tools of "signalbox mcp" for VS Code's own agents, as far as this VS Code lets
// extensions bring servers of tools (1.101).

import type * as vscode from 'vscode';
import { describeError } from '../server/failures';

/** The part of the API that the oldest supported VS Code has not. */
export interface ToolHost {
  readonly lm?: {
    readonly registerMcpServerDefinitionProvider?: (id: string, provider: ToolServers) => vscode.Disposable;
  };
  readonly McpStdioServerDefinition?: new (
    label: string,
    command: string,
    args: string[],
    env: Record<string, string>,
    version: string,
  ) => ToolServer;
}

interface ToolServer {
  cwd?: vscode.Uri;
}

export interface ToolServers {
  readonly onDidChangeMcpServerDefinitions: vscode.Event<void>;
  provideMcpServerDefinitions(): Promise<ToolServer[]>;
}

/** What the servers of tools are made of. */
export interface ToolSource {
  readonly trusted: () => boolean;
  readonly folders: () => readonly { readonly name: string; readonly uri: vscode.Uri }[];
  /** Returns the path of the program, which an update of the extension does not move. */
  readonly program: () => Promise<string>;
  readonly version: string;
  readonly changed: vscode.Event<void>;
  readonly warn: (text: string) => void;
}

/** Whether VS Code's own agents get the tools without a file of theirs. */
export function takesTools(host: ToolHost): boolean {
  return (
    host.lm?.registerMcpServerDefinitionProvider !== undefined && host.McpStdioServerDefinition !== undefined
  );
}

/**
 * Offers a server of tools for each folder: each agent is named after its folder. A folder that is not trusted gets none.
 */
export function offerTools(host: ToolHost, source: ToolSource): vscode.Disposable | undefined {
  const Definition = host.McpStdioServerDefinition;
  if (Definition === undefined) return undefined;
  return host.lm?.registerMcpServerDefinitionProvider?.('signalbox.mail', {
    onDidChangeMcpServerDefinitions: source.changed,
    provideMcpServerDefinitions: async () => {
      const folders = source.folders();
      if (!source.trusted() || folders.length === 0) return [];
      try {
        const program = await source.program();
        return folders.map(({ name, uri }) => {
          const label = folders.length === 1 ? 'Signalbox' : `Signalbox (${name})`;
          const server = new Definition(label, program, ['mcp'], {}, source.version);
          server.cwd = uri;
          return server;
        });
      } catch (error) {
        source.warn(`tools: ${describeError(error)}`);
        return [];
      }
    },
  });
}
