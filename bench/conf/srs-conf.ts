// Configuration of SRS as a peer: 10 ms merge window, SRT as libsrt does it by default, no conversion between RTC and RTMP.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ports } from './ports.ts';

export function writeSrsConf(runFolder: string): void {
  const html = join(runFolder, 'srs-html');
  mkdirSync(html, { recursive: true });
  writeFileSync(join(runFolder, 'srs.conf'), srsConf(runFolder, html, 'on'));
  writeFileSync(join(runFolder, 'srs-without-hls.conf'), srsConf(runFolder, html, 'off'));
}

const srsConf = (runFolder: string, html: string, hls: 'on' | 'off'): string => `
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
    rtc { enabled on; nack on; twcc off; rtc_to_rtmp off; rtmp_to_rtc off; }
    srt { enabled on; srt_to_rtmp on; }
    hls { enabled ${hls}; hls_path ${html}; hls_fragment 2; hls_window 30; }
}
`;
