// Version tags as the remote lists them. What a remote says is hostile input: only names of this form are ever used.

/** Numbers beyond six digits are no version of anybody. */
const versionTag = /^([0-9a-f]{40})\trefs\/tags\/v(\d{1,6})\.(\d{1,6})\.(\d{1,6})$/;
const branchLine = /^([0-9a-f]{40})\trefs\/heads\/main$/;

export interface RemoteReferences {
  /** Newest version, without a leading v; undefined when there is no version tag. */
  readonly newestVersion: string | undefined;
  readonly hasMainBranch: boolean;
}

/** Reads the answer of `git ls-remote`; lines of any other form are passed over. Pure. */
export function readReferences(answer: string): RemoteReferences {
  const lines = answer.split('\n');
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

/** Negative when `a` is older. Takes what `readReferences` gives and versions of package.json; a suffix does not count. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split(/[.+-]/).slice(0, 3).map(Number)) as [number[], number[]];
  for (const index of [0, 1, 2]) {
    const difference = (left[index] || 0) - (right[index] || 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
