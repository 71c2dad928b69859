// Edits the changelog for a release: moves the entries of "Unreleased" into a version, and reads the section of a version. Pure.

const unreleased = /^## Unreleased[ \t]*\n/m;

/**
 * Moves the entries below "Unreleased" into a section `## <version> - <date>`. Throws if "Unreleased" is missing or empty, or if the
 * version already has a section.
 * @param date `YYYY-MM-DD`.
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

/** Trimmed entries of a version, without their heading. Undefined for a version that the changelog does not contain. */
export function sectionOf(changelog: string, version: string): string | undefined {
  const heading = new RegExp(`^## ${version.replaceAll('.', '\\.')}(?: .*)?\n`, 'm').exec(changelog);
  return heading ? bodyFrom(changelog, heading.index + heading[0].length).trim() : undefined;
}

function bodyFrom(changelog: string, start: number): string {
  const next = changelog.indexOf('\n## ', start - 1);
  return changelog.slice(start, next < 0 ? undefined : next);
}
