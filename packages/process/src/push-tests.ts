// A test of a target, as the control plane hands it to a gateway of its machine: one file per test, which it deletes once the gateway has
// begun. The call that starts a test names the file only, so that the HTTP API of the media server contacts nobody on its own.

/** Below the folder `run/` of the data folder; the files hold stream keys and are readable by their owner alone. */
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

/** Undefined for what is no id. */
export function pushTestFileName(id: string): string | undefined {
  return testId.test(id) ? `${id}.json` : undefined;
}

/** @throws when the text is not what the control plane writes. */
export function parsePushTest(text: string): PushTestFile {
  const { server, key, sends } = (JSON.parse(text) ?? {}) as Record<keyof PushTestFile, unknown>;
  const known = pushTestSends.find((each) => each === sends);
  if (typeof server !== 'string' || typeof key !== 'string' || !known) throw new Error('a push test is invalid');
  return { server, key, sends: known };
}
