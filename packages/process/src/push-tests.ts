// A test of a target. The control plane writes a file for a gateway of its machine, and deletes this file once the test has started. The
// API call to the gateway contains only the test's id, so that a caller of this API cannot make the gateway contact arbitrary servers.

/** Folder in `run/` of the data folder. Only its owner may read the files, because they contain stream keys. */
export const pushTestsFolder = 'push-tests';

export const pushTestSends = ['nothing', 'publish', 'media'] as const;

export interface PushTestFile {
  /** URL of the application for RTMP and RTMPS; the whole address for SRT. */
  readonly server: string;
  /** Stream name at the server, as the operator entered it; empty for SRT. */
  readonly key: string;
  readonly sends: (typeof pushTestSends)[number];
}

/** The id of a test is a random UUID, so no id can be a path outside the folder. */
const testId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** File name of a test; undefined for an invalid id. */
export function pushTestFileName(id: string): string | undefined {
  return testId.test(id) ? `${id}.json` : undefined;
}

/** Parses a test. @throws when the control plane did not write this format. */
export function parsePushTest(text: string): PushTestFile {
  const { server, key, sends } = (JSON.parse(text) ?? {}) as Record<keyof PushTestFile, unknown>;
  const known = pushTestSends.find((each) => each === sends);
  if (typeof server !== 'string' || typeof key !== 'string' || !known)
    throw new Error(`a target test lacks server or key, or its sends is not one of ${pushTestSends.join(', ')}`);
  return { server, key, sends: known };
}
