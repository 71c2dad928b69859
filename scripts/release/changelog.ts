// Edits the changelog for a release: moves "Unreleased" into a version, and reads the section of one version. Pure.

const unreleased = /^## Unreleased[ \t]*\n/m;

/**
 * Moves the entries below "Unreleased" into a section `## <version> - <date>` and leaves "Unreleased" empty. `date` is `YYYY-MM-DD`. Throws
 * when there is no such section, when it is empty, or when the version already has a section.
 */
export function cutChangelog(changelog: string, version: string, date: string): string {
  const heading = unreleased.exec(changelog);
  if (!heading) throw new Error('CHANGELOG.md has no section "## Unreleased".');
  if (sectionOf(changelog, version) !== undefined)
    throw new Error(`CHANGELOG.md already has a section for ${version}.`);
  const start = heading.index + heading[0].length;
  if (!/^[-*] /m.test(bodyFrom(changelog, start))) {
    throw new Error('CHANGELOG.md has no entries below "## Unreleased": there is nothing to release.');
  }
  return `${changelog.slice(0, start)}\n## ${version} - ${date}\n${changelog.slice(start)}`;
}

/** Entries of a version without their heading, trimmed; undefined when the changelog has no such version. */
export function sectionOf(changelog: string, version: string): string | undefined {
  const heading = new RegExp(`^## ${version.replaceAll('.', '\\.')}(?: .*)?\n`, 'm').exec(changelog);
  return heading ? bodyFrom(changelog, heading.index + heading[0].length).trim() : undefined;
}

function bodyFrom(changelog: string, start: number): string {
  const next = changelog.indexOf('\n## ', start - 1);
  return changelog.slice(start, next < 0 ? undefined : next);
}
