// The tools of "signalbox mcp" for VS Code's own agents, if this VS Code lets extensions
// provide MCP servers (since 1.101).

import type * as vscode from 'vscode';
import { describeError } from '../server/failures';

/** The part of the API that the oldest supported VS Code does not have. */
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

/** What the MCP servers are made from. */
export interface ToolSource {
  readonly trusted: () => boolean;
  readonly folders: () => readonly { readonly name: string; readonly uri: vscode.Uri }[];
  /** Returns the path of the program, which an update of the extension does not move. */
  readonly program: () => Promise<string>;
  readonly version: string;
  readonly changed: vscode.Event<void>;
  readonly warn: (text: string) => void;
}

/** Reports whether VS Code's own agents get the tools from the extension, without a file of theirs. */
export function takesTools(host: ToolHost): boolean {
  return (
    host.lm?.registerMcpServerDefinitionProvider !== undefined && host.McpStdioServerDefinition !== undefined
  );
}

/** Offers an MCP server for each folder, whose agent is named after it. Untrusted workspaces get none. */
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
