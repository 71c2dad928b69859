// Configuration of SRS for comparison: a merge window of 10 ms, and an SRT latency of 20 ms. Two configurations
// (with and without HLS) play WebRTC publications over WebRTC only. `srs-bridged` also plays them over the other outputs,
// as the product does.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ports } from './ports.ts';

export function writeSrsConf(runFolder: string): void {
  const html = join(runFolder, 'srs-html');
  mkdirSync(html, { recursive: true });
  const files: readonly (Switches & { readonly name: string })[] = [
    { name: 'srs', hls: 'on', fromRtc: 'off' },
    { name: 'srs-without-hls', hls: 'off', fromRtc: 'off' },
    { name: 'srs-bridged', hls: 'on', fromRtc: 'on' },
  ];
  for (const { name, ...switches } of files)
    writeFileSync(join(runFolder, `${name}.conf`), srsConf(runFolder, html, switches));
}

interface Switches {
  readonly hls: 'on' | 'off';
  readonly fromRtc: 'on' | 'off';
}

const srsConf = (runFolder: string, html: string, { hls, fromRtc }: Switches): string => `
listen 127.0.0.1:${ports.rtmp};
max_connections 5000;
daemon off;
srs_log_tank console;
srs_log_level warn;
pid ${runFolder}/srs.pid;
http_api { enabled on; listen 127.0.0.1:${ports.srsApi}; }
http_server { enabled on; listen 127.0.0.1:${ports.http}; dir ${html}; }
rtc_server {
    enabled on;
    listen ${ports.rtc};
    candidate 127.0.0.1;
    use_auto_detect_network_ip off;
    api_as_candidates off;
}
srt_server {
    enabled on;
    listen ${ports.srt};
    maxbw 1000000000;
    connect_timeout 4000;
    latency 20;
    tsbpdmode on;
    tlpktdrop on;
}
vhost __defaultVhost__ {
    tcp_nodelay on;
    min_latency on;
    play { mw_latency 10; mw_msgs 0; }
    publish { mr off; }
    http_remux { enabled on; mount [vhost]/[app]/[stream].flv; }
    rtc { enabled on; nack on; twcc off; rtc_to_rtmp ${fromRtc}; rtmp_to_rtc off; }
    srt { enabled on; srt_to_rtmp on; }
    hls { enabled ${hls}; hls_path ${html}; hls_fragment 2; hls_window 30; }
}
`;
