// A test of a target. The control plane passes it to a gateway of its machine in one file, and deletes the file when the gateway has
// started the test. The API call that starts a test contains only the id: access to this API does not suffice to make the media server
// contact other servers.

/** Name of the folder in `run/` of the data folder. Only its owner may read the files, because they contain stream keys. */
export const pushTestsFolder = 'push-tests';

export const pushTestSends = ['nothing', 'publish', 'media'] as const;

export interface PushTestFile {
  /** RTMP and RTMPS: URL of the application. SRT: the whole address. */
  readonly server: string;
  /** Stream name at the server, as entered; empty for SRT. */
  readonly key: string;
  readonly sends: (typeof pushTestSends)[number];
}

/** Form of an id: a random UUID. No other text is a valid file name here. */
const testId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** File name of a test; undefined for an invalid id. */
export function pushTestFileName(id: string): string | undefined {
  return testId.test(id) ? `${id}.json` : undefined;
}

/** @throws when the text is not in the format that the control plane writes. */
export function parsePushTest(text: string): PushTestFile {
  const { server, key, sends } = (JSON.parse(text) ?? {}) as Record<keyof PushTestFile, unknown>;
  const known = pushTestSends.find((each) => each === sends);
  if (typeof server !== 'string' || typeof key !== 'string' || !known) throw new Error('a push test is invalid');
  return { server, key, sends: known };
}
