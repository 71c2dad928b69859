// Verifies low-latency media playlists against RFC 8216bis (draft-pantos-hls-rfc8216bis). For tests; written independently of the playlist
// writer under test.

export interface RulePart {
  readonly uri: string;
  readonly duration: number;
  readonly isIndependent: boolean;
}

export interface RuleSegment {
  readonly sequence: number;
  /** Undefined for the growing segment. */
  readonly uri: string | undefined;
  readonly duration: number | undefined;
  readonly parts: readonly RulePart[];
  readonly map: string | undefined;
  readonly date: string | undefined;
  readonly isDiscontinuous: boolean;
}

/** EXT-X-RENDITION-REPORT about another rendition, §4.4.5.4. */
export interface RuleReport {
  readonly uri: string;
  readonly lastSequence: number;
  readonly lastPart: number | undefined;
}

export interface RulePlaylist {
  readonly version: number;
  readonly targetDuration: number;
  readonly partTarget: number;
  readonly control: ReadonlyMap<string, string>;
  readonly mediaSequence: number;
  readonly skipped: number;
  readonly hint: string | undefined;
  readonly reports: readonly RuleReport[];
  /** Excludes skipped segments. */
  readonly segments: readonly RuleSegment[];
}

/** Parses an attribute list (§4.2) and removes quotes. */
function attributesOf(text: string): Map<string, string> {
  const pairs = text.matchAll(/([A-Z0-9-]+)=("[^"]*"|[^",]*)/g);
  return new Map([...pairs].map(([, name, value]) => [name!, value!.replaceAll('"', '')]));
}

/** @throws Error if the first line is not `#EXTM3U`. */
export function readPlaylist(text: string): RulePlaylist {
  const lines = text.split('\n');
  if (lines[0] !== '#EXTM3U') throw new Error('the first line is not #EXTM3U');
  const readTag = (tag: string): string =>
    lines.find((line) => line.startsWith(`#${tag}:`))?.slice(tag.length + 2) ?? '';
  const skipped = Number(attributesOf(readTag('EXT-X-SKIP')).get('SKIPPED-SEGMENTS') ?? 0);
  const mediaSequence = Number(readTag('EXT-X-MEDIA-SEQUENCE'));
  return {
    version: Number(readTag('EXT-X-VERSION')),
    targetDuration: Number(readTag('EXT-X-TARGETDURATION')),
    partTarget: Number(attributesOf(readTag('EXT-X-PART-INF')).get('PART-TARGET')),
    control: attributesOf(readTag('EXT-X-SERVER-CONTROL')),
    mediaSequence,
    skipped,
    hint: attributesOf(readTag('EXT-X-PRELOAD-HINT')).get('URI'),
    reports: lines.filter((line) => line.startsWith('#EXT-X-RENDITION-REPORT:')).map(toReport),
    segments: readSegments(lines, mediaSequence + skipped),
  };
}

function toReport(line: string): RuleReport {
  const attributes = attributesOf(line);
  const part = attributes.get('LAST-PART');
  return {
    uri: attributes.get('URI') ?? '',
    lastSequence: Number(attributes.get('LAST-MSN')),
    lastPart: part === undefined ? undefined : Number(part),
  };
}

function readSegments(lines: readonly string[], firstSequence: number): RuleSegment[] {
  const segments: RuleSegment[] = [];
  let map: string | undefined;
  let open = { parts: [] as RulePart[], date: undefined as string | undefined, isDiscontinuous: false };
  let duration: number | undefined;
  const close = (uri: string | undefined): void => {
    segments.push({ sequence: firstSequence + segments.length, uri, duration, map, ...open });
    open = { parts: [], date: undefined, isDiscontinuous: false };
    duration = undefined;
  };
  for (const line of lines) {
    const [, tag = '', value = ''] = /^#([A-Z0-9-]+):?(.*)$/.exec(line) ?? [];
    if (tag === 'EXT-X-PART') {
      const attributes = attributesOf(value);
      const isIndependent = attributes.get('INDEPENDENT') === 'YES';
      open.parts.push({ uri: attributes.get('URI')!, duration: Number(attributes.get('DURATION')), isIndependent });
    } else if (tag === 'EXT-X-MAP') map = attributesOf(value).get('URI');
    else if (tag === 'EXT-X-PROGRAM-DATE-TIME') open.date = value;
    else if (tag === 'EXT-X-DISCONTINUITY') open.isDiscontinuous = true;
    else if (tag === 'EXTINF') duration = Number.parseFloat(value);
    else if (line !== '' && !line.startsWith('#')) close(line);
  }
  if (open.parts.length > 0) close(undefined);
  return segments;
}

/** Returns an error message for each violation in a live playlist. `previous` is the viewer's previous full playlist. */
export function playlistViolations(playlist: RulePlaylist, previous?: RulePlaylist): string[] {
  return [
    ...headViolations(playlist),
    ...playlist.segments.flatMap((segment) => segmentViolations(segment, playlist)),
    ...partListViolations(playlist),
    ...(previous ? changeViolations(previous, playlist) : []),
  ];
}

function headViolations({ version, targetDuration, partTarget, control, hint, skipped }: RulePlaylist): string[] {
  const seconds = (name: string): number => Number(control.get(name) ?? 0);
  return violations([
    [version >= (skipped > 0 ? 9 : 6), `version ${version} is too low for the tags of the playlist (§7)`],
    [
      partTarget > 0 && partTarget <= targetDuration,
      `part target ${partTarget} is 0 or above the target duration (§4.4.3.7)`,
    ],
    [control.get('CAN-BLOCK-RELOAD') === 'YES', 'the playlist has parts but no CAN-BLOCK-RELOAD (§4.4.3.8)'],
    [seconds('PART-HOLD-BACK') >= 3 * partTarget - 0.002, 'PART-HOLD-BACK is below three part targets (§4.4.3.8)'],
    [seconds('HOLD-BACK') >= 3 * targetDuration, 'HOLD-BACK is below three target durations (§4.4.3.8)'],
    [seconds('CAN-SKIP-UNTIL') >= 6 * targetDuration, 'CAN-SKIP-UNTIL is below six target durations (§4.4.3.8)'],
    [hint !== undefined, 'the playlist has no preload hint (§4.4.5.3)'],
  ]);
}

function segmentViolations(segment: RuleSegment, { targetDuration, partTarget }: RulePlaylist): string[] {
  const { sequence, parts, duration, map, date } = segment;
  const inner = duration === undefined ? parts : parts.slice(0, -1);
  const sum = parts.reduce((total, part) => total + part.duration, 0);
  return violations([
    [
      duration === undefined || Math.round(duration) <= targetDuration,
      `segment ${sequence} is longer than the target duration (§4.4.3.1)`,
    ],
    [map !== undefined, `segment ${sequence} has no EXT-X-MAP (§4.4.4.5)`],
    [date !== undefined, `segment ${sequence} has no EXT-X-PROGRAM-DATE-TIME (B.1)`],
    [
      parts.every((part) => part.duration <= partTarget),
      `a part of segment ${sequence} is longer than the part target (§4.4.3.7)`,
    ],
    [
      inner.every((part) => part.duration >= 0.85 * partTarget),
      `a part of segment ${sequence} is shorter than 85 % of the part target (§4.4.3.7)`,
    ],
    [parts[0]?.isIndependent !== false, `segment ${sequence} does not begin with an independent part (§4.4.4.9)`],
    [
      duration === undefined || parts.length === 0 || Math.abs(sum - duration) < 0.1,
      `the parts of segment ${sequence} last ${sum} s, but the segment lasts ${duration} s`,
    ],
  ]);
}

/** §4.4.4.9: segments within three target durations of the end need parts. */
function partListViolations({ segments, targetDuration }: RulePlaylist): string[] {
  let fromEnd = 0;
  const missing: string[] = [];
  for (const { sequence, parts, duration } of segments.toReversed()) {
    if (fromEnd < 3 * targetDuration && parts.length === 0)
      missing.push(`segment ${sequence}, near the end of the playlist, lists no parts`);
    fromEnd += duration ?? parts.reduce((total, part) => total + part.duration, 0);
  }
  return missing;
}

/** §6.2.1: allowed changes between two reloads. */
function changeViolations(before: RulePlaylist, now: RulePlaylist): string[] {
  const known = new Map(before.segments.map((segment) => [segment.sequence, segment]));
  const changed = now.segments.filter((segment) => {
    const old = known.get(segment.sequence);
    return old !== undefined && !continues(old, segment);
  });
  const oldParts = new Set(before.segments.flatMap(({ parts }) => parts.map(({ uri }) => uri)));
  const newPart = now.segments.flatMap(({ parts }) => parts).find(({ uri }) => !oldParts.has(uri));
  const lastBefore = before.segments.at(-1)?.sequence ?? 0;
  return violations([
    [now.mediaSequence >= before.mediaSequence, 'the media sequence number decreased'],
    [now.targetDuration === before.targetDuration, 'the target duration changed'],
    [changed.length === 0, `segments ${changed.map(({ sequence }) => sequence)} changed`],
    [
      newPart === undefined || now.mediaSequence + now.skipped > lastBefore + 1 || newPart.uri === before.hint,
      `hinted ${before.hint}, came ${newPart?.uri}`,
    ],
  ]);
}

/**
 * Returns an error message for each violation between the renditions of a stream. The playlists must be requested simultaneously. Keys are
 * relative paths without query.
 */
export function renditionViolations(playlists: ReadonlyMap<string, RulePlaylist>): string[] {
  const all = [...playlists];
  const targets = new Set(all.map(([, { targetDuration }]) => targetDuration));
  return [
    ...violations([[targets.size <= 1, `target durations differ: ${[...targets]} (§6.2.4)`]]),
    ...all.flatMap(([name, playlist]) => reportViolations(name, playlist, playlists)),
    ...dateViolations(all.map(([, playlist]) => playlist).filter(hasVideo)),
  ];
}

/** A rendition progresses at most one segment between two responses. */
const segmentsBetween = 1;

/** §4.4.5.4 and B.1: each other rendition is reported once, with its current position. */
function reportViolations(
  name: string,
  { reports }: RulePlaylist,
  playlists: ReadonlyMap<string, RulePlaylist>,
): string[] {
  const pathOf = ({ uri }: RuleReport): string => uri.replace(/\?.*/, '');
  const paths = reports.map(pathOf);
  const wanted = [...playlists.keys()].filter((other) => other !== name);
  return violations([
    [new Set(paths).size === paths.length, `${name} reports a rendition twice`],
    [!paths.includes(name), `${name} reports itself`],
    [wanted.every((other) => paths.includes(other)), `${name} reports the renditions ${paths} instead of ${wanted}`],
    ...reports.map((report) => {
      const last = playlists.get(pathOf(report))?.segments.at(-1);
      const isNear = last !== undefined && Math.abs(last.sequence - report.lastSequence) <= segmentsBetween;
      return [
        isNear,
        `${name} reports ${report.lastSequence} as the last segment of ${report.uri}, which is ${last?.sequence}`,
      ] as const;
    }),
    ...reports.map(
      ({ uri, lastPart }) => [lastPart !== undefined && lastPart >= 0, `${name} reports no part of ${uri}`] as const,
    ),
  ]);
}

/** In audio-only streams, every part is independent. */
function hasVideo({ segments }: RulePlaylist): boolean {
  return segments.some(({ parts }) => parts.some(({ isIndependent }) => !isIndependent));
}

/** Tolerance for dates that two renditions round differently, milliseconds. */
const dateToleranceMs = 2;

/**
 * §6.2.4: a frame has one date in all renditions. Compares only renditions with video, because audio-only segments start at other times.
 */
function dateViolations(playlists: readonly RulePlaylist[]): string[] {
  const [first = [], ...others] = playlists.map(({ segments }) => segments.map(({ date }) => Date.parse(date ?? '')));
  const strayOf = (dates: readonly number[]): number[] =>
    dates
      .filter((date) => date >= first[0]! && date <= first.at(-1)!)
      .map((date) => Math.min(...first.map((ours) => Math.abs(ours - date))))
      .filter((distance) => distance > dateToleranceMs);
  return others.flatMap((dates, index) =>
    strayOf(dates).map(
      (distance) =>
        `rendition ${index + 2} has a date that differs from each date of the first rendition by at least ${distance} ms`,
    ),
  );
}

function continues(old: RuleSegment, now: RuleSegment): boolean {
  const isSameHead = old.date === now.date && old.map === now.map && old.isDiscontinuous === now.isDiscontinuous;
  const isSameEnd = old.uri === undefined || (old.uri === now.uri && old.duration === now.duration);
  const parts = now.parts.length === 0 ? old.parts : now.parts;
  return (
    isSameHead && isSameEnd && old.parts.every((part, index) => JSON.stringify(part) === JSON.stringify(parts[index]))
  );
}

function violations(rules: readonly (readonly [isHeld: boolean, violation: string])[]): string[] {
  return rules.filter(([isHeld]) => !isHeld).map(([, violation]) => violation);
}

/**
 * Applies the playlist delta update `delta` to `before`, §6.3.7.
 * @throws Error when a skipped segment is missing.
 */
export function applyDelta(before: RulePlaylist, delta: RulePlaylist): RulePlaylist {
  const kept = Array.from({ length: delta.skipped }, (_, index) => {
    const sequence = delta.mediaSequence + index;
    const known = before.segments.find((segment) => segment.sequence === sequence);
    if (known === undefined)
      throw new Error(`the delta update skips segment ${sequence}, which is not in the previous playlist`);
    return { ...known, parts: [] };
  });
  return { ...delta, skipped: 0, segments: [...kept, ...delta.segments] };
}
