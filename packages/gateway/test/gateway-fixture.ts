// A gateway on free ports with a temporary data folder, a fake engine and a fake control plane. Removed after the test.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { type Gateway, startGateway } from '../src/app.ts';
import { type GatewayEnv, readEnv } from '../src/env.ts';
import type { Deadlines } from '../src/front/limits/front-limits.ts';
import { FakeEngine } from './fake-engine.ts';
import { type FakePlatform, startFakePlatform } from './fake-platform.ts';

export interface Fixture {
  readonly gateway: Gateway;
  readonly engine: FakeEngine;
  readonly platform: FakePlatform;
  readonly env: GatewayEnv;
  readonly http: number;
}

export interface FixtureOptions {
  readonly variables?: Record<string, string>;
  readonly consoleFolder?: string;
  readonly deadlines?: Partial<Deadlines>;
  readonly prepare?: (dataDir: string) => Promise<void>;
  /** Called with the data folder after the settings were read and before the gateway accepts requests. */
  readonly whileStarting?: (dataDir: string) => Promise<void>;
}

export async function makeDataDir(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gateway-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  return dataDir;
}

export const freePorts = {
  MGMT_LISTEN: '127.0.0.1:0',
  HTTPS_LISTEN: '127.0.0.1:0',
  RTMP_LISTEN: '127.0.0.1:0',
  RTSP_LISTEN: '127.0.0.1:0',
  SRT_LISTEN: '127.0.0.1:0',
  RTC_LISTEN: '127.0.0.1:0',
  SRS_API_LISTEN: '127.0.0.1:0',
  CALLBACK_SECRET: 'between-processes',
} as const;

export async function startFixture(options: FixtureOptions = {}): Promise<Fixture> {
  const dataDir = await makeDataDir();
  await options.prepare?.(dataDir);
  const env = readEnv({
    DATA_DIR: dataDir,
    PLATFORM_LISTEN: join(dataDir, 'p.sock'),
    ...freePorts,
    ...options.variables,
  });
  const platform = await startFakePlatform(join(dataDir, 'p.sock'));
  const engine = new FakeEngine();
  engine.whileStarting = async () => options.whileStarting?.(dataDir);
  const log = pino({ level: 'silent' });
  const { deadlines = {} } = options;
  const consoleFolder = options.consoleFolder ?? join(dataDir, 'no-console');
  const gateway = await startGateway({ env, log, createEngine: engine.create, consoleFolder, deadlines });
  onTestFinished(async () => {
    await gateway.close();
    await platform.close();
  });
  return { gateway, engine, platform, env, http: gateway.ports.http };
}
