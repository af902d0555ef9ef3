// What each kind of package says of itself. Nothing here reads or writes a file.

const site = 'https://github.com/signalbox-dev/signalbox';
const summary = 'The mail of coding agents in your editor and terminal';
const download = (version, file) => `${site}/releases/download/v${version}/${file}`;

/** The configuration of nfpm for a package of a Linux distribution. */
export function linuxPackage(version, arch, packager, stage) {
  const at = (name) => `${stage}/${name}`;
  const zsh = packager === 'deb' ? 'vendor-completions' : 'site-functions';
  return {
    name: 'signalbox', arch, platform: 'linux', version, version_schema: 'semver',
    maintainer: 'The Signalbox authors <signalbox-dev@users.noreply.github.com>', description: summary, homepage: site,
    license: 'MIT', section: 'devel', priority: 'optional', rpm: { summary, buildhost: 'signalbox' },
    contents: [
      { src: at('signalbox'), dst: '/usr/bin/signalbox' },
      { src: at('man/*'), dst: '/usr/share/man/man1/' },
      { src: at('completions/signalbox.bash'), dst: '/usr/share/bash-completion/completions/signalbox' },
      { src: at('completions/_signalbox'), dst: `/usr/share/zsh/${zsh}/_signalbox` },
      { src: at('completions/signalbox.fish'), dst: '/usr/share/fish/vendor_completions.d/signalbox.fish' },
      { src: at('LICENSE'), dst: '/usr/share/doc/signalbox/copyright' },
      { src: at('README.md'), dst: '/usr/share/doc/signalbox/README.md' },
    ],
  };
}

/** Node's name of a platform, such as linux-x64. */
const node = (platform) => {
  const [os, arch] = platform.split('/');
  return { os: os === 'windows' ? 'win32' : os, cpu: arch === 'amd64' ? 'x64' : arch };
};
const platformPackage = (platform) => `@signalbox/cli-${node(platform).os}-${node(platform).cpu}`;

const keywords = ['agents', 'mail', 'inbox', 'mcp', 'mcp-server', 'claude-code', 'codex', 'gemini-cli', 'copilot-cli', 'multi-agent', 'human-in-the-loop'];
const npmCommon = { license: 'MIT', homepage: site, bugs: `${site}/issues`, repository: { type: 'git', url: `git+${site}.git` } };

/** The name of the server in the registry of MCP, by which the package on npm says whose it is. */
const mcpName = 'io.github.signalbox-dev/signalbox';

/** The package.json of "signalbox". */
export function npmMain(version, platforms) {
  return {
    name: 'signalbox', mcpName, version, description: summary, ...npmCommon, keywords,
    bin: { signalbox: 'bin/signalbox.js' }, files: ['bin'], engines: { node: '>=18' },
    optionalDependencies: Object.fromEntries(platforms.map((platform) => [platformPackage(platform), version])),
  };
}

/** The package.json of a platform's program. */
export function npmPlatform(version, platform) {
  const { os, cpu } = node(platform);
  return {
    name: platformPackage(platform), version, description: `The program of the package signalbox for ${os} on ${cpu}`, ...npmCommon,
    files: ['bin'], os: [os], cpu: [cpu], preferUnplugged: true,
  };
}

/** The formula for Homebrew. archived returns file and checksum of a platform's archive. */
export function formula(version, archived) {
  const one = (os, arch, when) => {
    const { file, sha256 } = archived(`${os}/${arch}`);
    return `    ${when} do\n      url "${download(version, file)}"\n      sha256 "${sha256}"\n    end\n`;
  };
  const both = (os) => one(os, 'arm64', 'on_arm') + one(os, 'amd64', 'on_intel');
  return `class Signalbox < Formula
  desc "${summary.replace(/^The m/, 'M')}"
  homepage "${site}"
  version "${version}"
  license "MIT"

  on_macos do
${both('darwin')}  end

  on_linux do
${both('linux')}  end

  def install
    bin.install "signalbox"
    man1.install Dir["man/*.1"]
    bash_completion.install "completions/signalbox.bash" => "signalbox"
    zsh_completion.install "completions/_signalbox"
    fish_completion.install "completions/signalbox.fish"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/signalbox version")
  end
end
`;
}

/** The manifest for Scoop. */
export function scoop(version, archived) {
  const one = (arch) => {
    const { file, sha256 } = archived(`windows/${arch}`);
    return { url: download(version, file), hash: sha256, extract_dir: file.replace(/\.zip$/, '') };
  };
  const manifest = {
    version, description: summary, homepage: site, license: 'MIT',
    architecture: { '64bit': one('amd64'), arm64: one('arm64') },
    bin: 'signalbox.exe',
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** The server.json for the registry of MCP, as its schema of 2025-12-11 wants it. */
export function mcpServer(version) {
  const manifest = {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: mcpName, title: 'Signalbox', description: 'Mail between coding agents and their developer: read, send, ask and wait for the answer',
    repository: { url: site, source: 'github' }, websiteUrl: site, version,
    packages: [{
      registryType: 'npm', identifier: 'signalbox', version, runtimeHint: 'npx',
      transport: { type: 'stdio' }, packageArguments: [{ type: 'positional', value: 'mcp' }],
    }],
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** The manifests for winget by their file names: https://learn.microsoft.com/windows/package-manager/package/manifest. */
export function winget(version, archived) {
  const id = 'SignalboxDev.Signalbox';
  const installer = (arch) => {
    const { file, sha256 } = archived(`windows/${arch}`);
    return `- Architecture: ${arch === 'amd64' ? 'x64' : arch}
  NestedInstallerFiles:
  - RelativeFilePath: ${file.replace(/\.zip$/, '')}\\signalbox.exe
    PortableCommandAlias: signalbox
  InstallerUrl: ${download(version, file)}
  InstallerSha256: ${sha256.toUpperCase()}
`;
  };
  const manifest = (type, body) => `# yaml-language-server: $schema=https://aka.ms/winget-manifest.${type}.1.10.0.schema.json

PackageIdentifier: ${id}
PackageVersion: ${version}
${body}ManifestType: ${type}
ManifestVersion: 1.10.0
`;
  return {
    [`${id}.yaml`]: manifest('version', 'DefaultLocale: en-US\n'),
    [`${id}.installer.yaml`]: manifest('installer', `InstallerType: zip
NestedInstallerType: portable
Commands:
- signalbox
Installers:
${installer('amd64')}${installer('arm64')}`),
    [`${id}.locale.en-US.yaml`]: manifest('defaultLocale', `PackageLocale: en-US
Publisher: The Signalbox authors
PublisherUrl: https://github.com/signalbox-dev
PublisherSupportUrl: ${site}/issues
PackageName: Signalbox
PackageUrl: ${site}
License: MIT
LicenseUrl: ${site}/blob/main/LICENSE
ShortDescription: ${summary}
Moniker: signalbox
Tags:
- agents
- mail
- mcp
- multi-agent
`),
  };
}
