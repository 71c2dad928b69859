// A complete control plane in a temporary data folder, called through `inject()`. The test controls its clock.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EndpointName, endpoints } from '@srs-stack/contract';
import { pino } from 'pino';
import { readEnv } from '../env.ts';
import { openPlatform, type Platform } from '../platform.ts';
import { type MediaServerDouble, startMediaServerDouble } from './media-server-double.ts';

export const testBearer = 'srs-v2-test';
export const testCallbackSecret = 'callback-secret';

interface TestResponse {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every call
  readonly body: any;
  readonly headers: Record<string, unknown>;
}

export interface TestPlatform extends Platform {
  readonly dataDir: string;
  readonly mediaServer: MediaServerDouble;
  clock: { nowMs: number };
  /** Sends the API secret unless `headers` are given. */
  call(name: EndpointName, body?: object, headers?: Record<string, string>): Promise<TestResponse>;
  callPath(path: string, body?: object | string, headers?: Record<string, string>): Promise<TestResponse>;
  /** Closes the platform and opens its folder again, optionally with other environment variables. */
  reopen(variables?: Record<string, string>): Promise<TestPlatform>;
  dispose(): Promise<void>;
}

type SendToSupervisor = NonNullable<Parameters<typeof openPlatform>[0]['sendToSupervisor']>;

export async function openTestPlatform(
  variables: Record<string, string> = {},
  sendToSupervisor: SendToSupervisor = () => false,
): Promise<TestPlatform> {
  const dataDir = await mkdtemp(join(tmpdir(), 'srs-platform-'));
  const mediaServer = await startMediaServerDouble();
  return open(dataDir, mediaServer, { nowMs: Date.parse('2026-01-02T03:04:05Z') }, variables, sendToSupervisor);
}

async function open(
  dataDir: string,
  mediaServer: MediaServerDouble,
  clock: { nowMs: number },
  variables: Record<string, string>,
  sendToSupervisor: SendToSupervisor,
): Promise<TestPlatform> {
  const env = readEnv({
    DATA_DIR: dataDir,
    SRS_API_LISTEN: `127.0.0.1:${mediaServer.port}`,
    SRS_PLATFORM_SECRET: testBearer,
    CALLBACK_SECRET: testCallbackSecret,
    // In these tests, a forward represents all tasks with a process, so FFmpeg must run it.
    FORWARD_WITH: 'ffmpeg',
    ...variables,
  });
  const now = () => new Date(clock.nowMs);
  const platform = await openPlatform({
    env,
    log: pino({ level: 'silent' }),
    now,
    checksResponses: true,
    sendToSupervisor,
  });
  const callPath: TestPlatform['callPath'] = async (
    path,
    body,
    headers = { authorization: `Bearer ${testBearer}` },
  ) => {
    const response = await platform.app.inject({
      method: 'POST',
      url: path,
      headers,
      ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return {
      status: response.statusCode,
      body: response.body === '' ? undefined : response.json(),
      headers: response.headers,
    };
  };
  return {
    app: platform.app,
    modules: platform.modules,
    start: () => platform.start(),
    close: () => platform.close(),
    dataDir,
    mediaServer,
    clock,
    call: (name, body, headers) => callPath(endpoints[name].path, body, headers),
    callPath,
    async reopen(next = variables) {
      await platform.close();
      return open(dataDir, mediaServer, clock, next, sendToSupervisor);
    },
    async dispose() {
      await platform.close();
      await mediaServer.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
