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

  it('does not trim the password', () => {
    expect(readEnv({ MGMT_PASSWORD: ' a b ' }).adminPassword).toBe(' a b ');
  });

  it('accepts one or several SRS, separated by commas or spaces', () => {
    const hosts = (SRS_API_SERVER?: string) =>
      readEnv(SRS_API_SERVER === undefined ? {} : { SRS_API_SERVER }).srsApiServers.map(
        ({ host, port }) => `${host}:${port}`,
      );
    expect(hosts()).toEqual(['127.0.0.1:1985']);
    expect(hosts('a:1985, b:1986 1987,a:1985')).toEqual(['a:1985', 'b:1986', '127.0.0.1:1987']);
    for (const odd of [',', 'a:1985,b', 'a:x']) expect(() => hosts(odd), odd).toThrow(StartRefusal);
  });

  it('accepts a sufficiently long metrics token, or none', () => {
    expect(readEnv({}).metricsToken).toBe('');
    expect(readEnv({ METRICS_TOKEN: ' sixteen-letters- ' }).metricsToken).toBe('sixteen-letters-');
    for (const METRICS_TOKEN of ['short', 'with a blank inside it', 'mit-ümläuten-und-mehr']) {
      expect(() => readEnv({ METRICS_TOKEN })).toThrow(StartRefusal);
    }
  });
});
