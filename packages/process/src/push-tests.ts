// A test of a target, passed from the control plane to a gateway of its machine: one file per test, which the control plane deletes once
// the gateway has started the test. The call that starts a test only names the file, so that this HTTP API of the media server alone cannot
// make it contact other servers.

/** Below the folder `run/` of the data folder; the files contain stream keys and are readable by their owner only. */
export const pushTestsFolder = 'push-tests';

export const pushTestSends = ['nothing', 'publish', 'media'] as const;

export interface PushTestFile {
  /** Of RTMP and RTMPS the application's URL, of SRT the whole address. */
  readonly server: string;
  /** Stream name at the server, as typed; empty for SRT. */
  readonly key: string;
  readonly sends: (typeof pushTestSends)[number];
}

/** Ids are random UUIDs; anything else names no file. */
const testId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Undefined for an invalid id. */
export function pushTestFileName(id: string): string | undefined {
  return testId.test(id) ? `${id}.json` : undefined;
}

/** @throws when the text does not have the form that the control plane writes. */
export function parsePushTest(text: string): PushTestFile {
  const { server, key, sends } = (JSON.parse(text) ?? {}) as Record<keyof PushTestFile, unknown>;
  const known = pushTestSends.find((each) => each === sends);
  if (typeof server !== 'string' || typeof key !== 'string' || !known) throw new Error('a push test is invalid');
  return { server, key, sends: known };
}
