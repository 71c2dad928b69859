// An SRS as the media server, as its HTTP API reports it: two streams, their clients, one virtual host.
const stream = (id: string, name: string, kbps: number, clients: number) => ({
  id,
  name,
  app: 'live',
  url: `/live/${name}`,
  clients,
  send_bytes: 812_400_000,
  recv_bytes: 209_800_000,
  kbps: { recv_30s: kbps, send_30s: kbps * (clients - 1) },
  publish: { active: true, cid: `pub-${id}` },
  video: { codec: 'H264', profile: 'High', level: '4.1', width: 1920, height: 1080 },
  audio: { codec: 'AAC', sample_rate: 48_000, channel: 2, profile: 'LC' },
});
const client = (id: string, streamId: string, type: string, ip: string) => ({
  id,
  stream: streamId,
  ip,
  type,
  publish: type.endsWith('publish'),
  url: '/live/livestream',
  alive: 3_723.5,
  send_bytes: 350_000_000,
  recv_bytes: 9_000,
  kbps: { recv_30s: 4_500, send_30s: 4_490 },
});

/** All responses in one object, of which each call uses one field. */
export const srsAnswers = {
  data: {
    version: '7.0.18',
    ok: true,
    self: { srs_uptime: 266_461, cpu_percent: 0.12, mem_kbyte: 84_000 },
    system: {
      cpus: 8,
      cpu_percent: 0.31,
      mem_ram_kbyte: 16_777_216,
      mem_ram_percent: 0.32,
      conn_srs: 5,
      load_1m: 0.8,
      load_5m: 0.7,
      load_15m: 0.6,
    },
  },
  streams: [stream('vid-1', 'livestream', 4_512, 4), stream('vid-2', 'lobby', 2_048, 1)],
  clients: [
    client('pub-vid-1', 'vid-1', 'fmle-publish', '203.0.113.24'),
    client('view-1', 'vid-1', 'flv-play', '198.51.100.20'),
    client('view-2', 'vid-1', 'hls-play', '198.51.100.21'),
    client('view-3', 'vid-1', 'rtc-play', '2001:db8::7'),
    client('pub-vid-2', 'vid-2', 'srt-publish', '203.0.113.40'),
  ],
  vhosts: [
    {
      id: 'vid-v',
      name: '__defaultVhost__',
      streams: 2,
      clients: 5,
      recv_bytes: 209_800_000,
      send_bytes: 812_400_000,
      kbps: { recv_30s: 6_560, send_30s: 13_536 },
      hls: { enabled: true, fragment: 10 },
    },
  ],
};
