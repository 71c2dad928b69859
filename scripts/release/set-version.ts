// Sets the version of a release in every manifest. `npm version --workspaces` cannot do this, because workspace packages depend on each
// other's exact version.

interface Manifest {
  version?: string;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

interface Lockfile {
  version: string;
  packages: Record<string, Manifest>;
}

const ownScope = '@srs-stack/';

/** Sets the version in the text of a `package.json`, also in its dependencies on workspace packages. */
export function setManifestVersion(text: string, version: string): string {
  return print(withVersion(JSON.parse(text) as Manifest, version));
}

/** Sets the version of the root and of every workspace in the text of `package-lock.json`. */
export function setLockVersion(text: string, version: string): string {
  const lock = JSON.parse(text) as Lockfile;
  const packages = Object.entries(lock.packages).map(([path, entry]) => {
    const isOwn = entry.version !== undefined && !path.includes('node_modules/');
    return [path, isOwn ? withVersion(entry, version) : entry];
  });
  return print({ ...lock, version, packages: Object.fromEntries(packages) });
}

/** The order of keys is kept, so that only the version changes. */
function withVersion(manifest: Manifest, version: string): Manifest {
  const changed = { ...manifest, version };
  for (const key of ['dependencies', 'devDependencies'] as const) {
    const names = Object.entries(manifest[key] ?? {});
    if (names.length > 0) {
      changed[key] = Object.fromEntries(
        names.map(([name, range]) => [name, name.startsWith(ownScope) ? version : range]),
      );
    }
  }
  return changed;
}

const print = (value: unknown) => `${JSON.stringify(value, undefined, 2)}\n`;
