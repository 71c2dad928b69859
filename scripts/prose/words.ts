// Words that the prose check reports, with the usual term of the field as replacement (docs/glossary.md).

/**
 * Pattern (case is ignored) → replacement. The list contains only words that are wrong in nearly every context, because a false alarm costs
 * more than a miss.
 */
export const terms: [pattern: string, replacement: string][] = [
  ['sound', 'audio'],
  ['sounds', 'audio'],
  ['pictures?', 'frame, video or image'],
  ['told', 'reported'],
  ['goodbye', 'close or unpublish'],
  ['whoever', 'anyone who'],
  ['by hand', 'manually'],
  ['is away', 'is unavailable'],
  ['was away', 'was unavailable'],
  ['bad days?', 'failure case'],
  ['rehearsals?', 'warm-up'],
  ['rehearses?', 'warms up'],
  ['foreign', 'external'],
  ['come at once', 'join simultaneously'],
  ['page for viewers', 'watch page'],
  ['right to watch', 'playback authorization'],
  ['who may watch', 'access rules'],
  ['in vain', 'without success'],
  ['who comes', 'clients that connect'],
  ['tells apart', 'distinguishes'],
  ['goes away', 'disconnects'],
  ['hands on', 'passes on'],
];

export const maxSentenceWords = 25;
