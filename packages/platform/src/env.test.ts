import { StartRefusal } from '@srs-stack/process/start-refusal.ts';
import { describe, expect, it } from 'vitest';
import { readEnv } from './env.ts';

describe('the environment', () => {
  it('has defaults for everything', () => {
    const env = readEnv({ DATA_DIR: '/srv/data' });
    expect(env.listen).toEqual({ socketPath: '/srv/data/run/platform.sock' });
    expect(env.hlsPath).toBe('/srv/data/hls');
    expect(env.mediaServerApi).toEqual({ host: '127.0.0.1', port: 1985 });
    expect(env.taskLimits).toEqual({ forward: 10, vlive: 10, camera: 10 });
    expect(readEnv({}).dataDir).toMatch(/\/data$/);
  });

  it('keeps the password as it is typed', () => {
    expect(readEnv({ MGMT_PASSWORD: ' a b ' }).adminPassword).toBe(' a b ');
  });

  it('takes a metrics token that cannot be guessed, or none', () => {
    expect(readEnv({}).metricsToken).toBe('');
    expect(readEnv({ METRICS_TOKEN: ' sixteen-letters- ' }).metricsToken).toBe('sixteen-letters-');
    for (const METRICS_TOKEN of ['short', 'with a blank inside it', 'mit-ümläuten-und-mehr']) {
      expect(() => readEnv({ METRICS_TOKEN })).toThrow(StartRefusal);
    }
  });
});
