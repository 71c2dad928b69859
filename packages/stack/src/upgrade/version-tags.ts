// Parses version tags in the list of the remote. The remote is untrusted, so only names of this format are used.

const versionTag = /^([0-9a-f]{40})\trefs\/tags\/v(\d{1,6})\.(\d{1,6})\.(\d{1,6})$/;
const branchLine = /^([0-9a-f]{40})\trefs\/heads\/main$/;

export interface RemoteReferences {
  /** Newest version without a leading v; undefined without version tags. */
  readonly newestVersion: string | undefined;
  readonly hasMainBranch: boolean;
}

/** Parses the output of `git ls-remote`. Other lines are ignored. Pure. */
export function readReferences(output: string): RemoteReferences {
  const lines = output.split('\n');
  const versions = lines.flatMap((line) => {
    const match = versionTag.exec(line);
    return match
      ? [`${Number(match[2])}.${Number(match[3])}.${Number(match[4])}` as const].filter((version) =>
          line.endsWith(`/v${version}`),
        )
      : [];
  });
  return {
    newestVersion: versions.sort(compareVersions).at(-1),
    hasMainBranch: lines.some((line) => branchLine.test(line)),
  };
}

/**
 * Compares two versions without their suffixes; negative if `a` is older. Accepts results of `readReferences` and versions of package.json.
 */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split(/[.+-]/).slice(0, 3).map(Number)) as [number[], number[]];
  for (const index of [0, 1, 2]) {
    const difference = (left[index] || 0) - (right[index] || 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
