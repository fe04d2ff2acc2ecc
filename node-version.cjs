// Loaded before anything else (node -r). An older Node would end with ERR_UNKNOWN_FILE_EXTENSION, which does not say
// what to do. This file must run on every version of Node.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(
    `Sonde needs Node 24 (22.18 at least); this is ${process.version}. For development, npm ci installs it. For production, see docs/deployment/one-machine.md.\n`,
  );
  process.exit(1);
}
