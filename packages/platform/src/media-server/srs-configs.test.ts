import { describe, expect, it } from 'vitest';
import { type SrsConfigFacts, srsConfigs } from './srs-configs.ts';

const facts: SrsConfigFacts = {
  apis: [{ host: '127.0.0.1', port: 1985 }],
  https: [{ host: '127.0.0.1', port: 8080 }],
  ports: { rtmp: 1935, srt: 10_080, rtc: 8000 },
  candidates: [],
  callbacks: { host: 'live.example.com', port: 2022, secret: 'a/b' },
  hlsPath: '/data/my hls',
  vhostFile: '/data/config/srs.vhost.conf',
  hlsBlock: 'hls {\n    enabled on;\n}\n',
};
const textOf = (role: string, part: Partial<SrsConfigFacts> = {}) =>
  srsConfigs({ ...facts, ...part }).find((each) => each.role === role)?.text ?? '';

describe('the configuration of an SRS', () => {
  it('of a single server has the playlist folder, all callbacks, and the generated settings file', () => {
    const text = textOf('single');
    expect(text).toBe(
      [
        '# SRS 5 or newer, run as: ./objs/srs -c srs.conf',
        'listen 1935;',
        'daemon off;',
        'srs_log_tank console;',
        'pid ./srs.pid;',
        'heartbeat { enabled off; }',
        'http_api { enabled on; listen 127.0.0.1:1985; raw_api { enabled on; allow_reload on; } }',
        'http_server { enabled on; listen 127.0.0.1:8080; dir "/data/my hls"; }',
        'srt_server { enabled on; listen 10080; }',
        'rtc_server { enabled on; listen 8000; candidate *; }',
        'vhost __defaultVhost__ {',
        '    http_remux { enabled on; mount [vhost]/[app]/[stream].flv; }',
        '    srt { enabled on; srt_to_rtmp on; }',
        '    rtc { enabled on; rtmp_to_rtc on; rtc_to_rtmp on; }',
        '    http_hooks {',
        '        enabled on;',
        '        on_publish http://127.0.0.1:2022/terraform/v1/hooks/srs/verify;',
        '        on_unpublish http://127.0.0.1:2022/terraform/v1/hooks/srs/verify;',
        '        on_play http://127.0.0.1:2022/terraform/v1/hooks/srs/verify;',
        '        on_stop http://127.0.0.1:2022/terraform/v1/hooks/srs/verify;',
        '        on_hls http://127.0.0.1:2022/terraform/v1/hooks/srs/hls;',
        '    }',
        '    include /data/config/srs.vhost.conf;',
        '}',
        '',
      ].join('\n'),
    );
  });

  it('has no listener for a disabled protocol, and the configured addresses', () => {
    const text = textOf('origin', { ports: { rtmp: 1, srt: null, rtc: 8000 }, candidates: ['203.0.113.5'] });
    expect(text).not.toContain('srt');
    expect(text).toContain('candidate 203.0.113.5;');
  });

  it('of an edge pulls from the origin, forwards publishers to it, and uses other ports on the same machine', () => {
    const [, , edge] = srsConfigs(facts);
    expect(edge).toMatchObject({ role: 'edge', server: '127.0.0.1:1986', fileName: 'srs-edge.conf' });
    expect(edge?.text).toContain('listen 1936;');
    expect(edge?.text).toContain('http_server { enabled on; listen 127.0.0.1:8081; dir "/data/my hls"; }');
    expect(edge?.text).toContain('cluster { mode remote; origin 127.0.0.1:1935; }');
    expect(edge?.text).not.toMatch(/on_publish|on_hls|hls \{|include|srt|rtc/);
  });

  it('on another machine is bound to its address, and contains the settings and the callback secret', () => {
    const apis = [
      { host: '10.0.0.5', port: 1985 },
      { host: 'edge.example.com', port: 1985 },
      { host: '10.0.0.7', port: 1985 },
    ];
    const https = apis.map(({ host }) => ({ host, port: 8080 }));
    const configs = srsConfigs({ ...facts, apis, https });
    expect(configs.map(({ fileName }) => fileName)).toEqual([
      'srs.conf',
      'srs-origin.conf',
      'srs-edge-1.conf',
      'srs-edge-2.conf',
    ]);
    const [, origin, edge] = configs.map(({ text }) => text);
    expect(origin).toContain('listen 10.0.0.5:1985;');
    expect(origin).toContain('allow only SRS Stack to reach');
    expect(origin).toContain('on_hls http://live.example.com:2022/terraform/v1/hooks/srs/hls?callback_secret=a%2Fb;');
    expect(origin).toContain('    hls {\n        enabled on;\n    }\n}\n');
    expect(edge).toContain('listen 1935;');
    expect(edge).toContain('http_api { enabled on; listen 1985;');
    expect(edge).toContain('origin 10.0.0.5:1935;');
  });

  it('of a remote edge reaches an origin on this machine by the host name of the console', () => {
    const apis = [...facts.apis, { host: '10.0.0.7', port: 1985 }];
    const https = apis.map(({ host }) => ({ host, port: 8080 }));
    expect(textOf('edge', { apis, https })).toContain('origin live.example.com:1935;');
  });
});
