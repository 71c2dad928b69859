// The environment of both servers: variables of the process, overridden by `config/.env` in the data folder, completed with defaults.
// The servers get this environment as their `process.env`.
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { defaultPlatformSocket } from '@srs-stack/process/listen-address.ts';
import { withSettingsFile } from '@srs-stack/process/settings-file.ts';
import { StartRefusal } from '@srs-stack/process/start-refusal.ts';

export type Environment = Record<string, string>;

const callbackSecretBytes = 32;

/** Listen addresses are `port` or `host:port`; port 0 binds any free port. */
const defaults: Environment = {
  MGMT_LISTEN: '2022',
  HTTPS_LISTEN: '2443',
  RTMP_LISTEN: '1935',
  RTSP_LISTEN: '8554',
  SRT_LISTEN: '10080',
  RTC_LISTEN: '8000',
  SRS_API_LISTEN: '127.0.0.1:1985',
  MEDIA_SERVER: 'embedded',
  MERGE_WINDOW_MS: '30',
  LOG_LEVEL: 'info',
};

/** Absolute data folder: `DATA_DIR` of the process, or `data` in the given checkout. */
export function dataFolder(processEnvironment: NodeJS.ProcessEnv, checkout: string): string {
  return processEnvironment.DATA_DIR ? resolve(processEnvironment.DATA_DIR) : join(checkout, 'data');
}

/**
 * Builds the environment of the servers. Called before every start of a server, because the control plane changes `config/.env`.
 * @throws StartRefusal when the file cannot be read, or the callback secret cannot be created.
 */
export function loadEnvironment(processEnvironment: NodeJS.ProcessEnv, dataDir: string): Environment {
  const merged: Environment = { ...defaults, ...withSettingsFile(processEnvironment, dataDir) };
  merged.DATA_DIR = dataDir;
  merged.PLATFORM_LISTEN ||= defaultPlatformSocket(dataDir);
  merged.HLS_PATH = resolve(dataDir, merged.HLS_PATH || 'hls');
  merged.CALLBACK_SECRET ||= callbackSecret(dataDir);
  // With stored compiled code, a server starts in half the time, without the type stripper.
  merged.NODE_COMPILE_CACHE ||= join(dataDir, 'run', 'compile-cache');
  return merged;
}

/**
 * The secret that the media server sends to the control plane. It is created once per installation, and only its owner may read its file.
 */
function callbackSecret(dataDir: string): string {
  const path = join(dataDir, 'config', 'callback.secret');
  try {
    mkdirSync(join(dataDir, 'config'), { recursive: true });
    writeFileSync(path, `${randomBytes(callbackSecretBytes).toString('hex')}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      throw new StartRefusal(`The callback secret ${path} cannot be written: ${(error as Error).message}.`);
    }
  }
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw new StartRefusal(`The callback secret ${path} cannot be read: ${(error as Error).message}.`);
  }
}
