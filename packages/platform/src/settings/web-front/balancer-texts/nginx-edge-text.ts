// nginx as a caching HLS edge. Tests validate the configuration with nginx.
import { type BalancedServers, protocolOf } from './balancer-servers.ts';
import { nginxHead, nginxTls, nginxUpstream } from './nginx-parts.ts';

/** Cache time of a playlist on an edge, seconds: half a segment. A longer time would put viewers a whole segment behind. */
const playlistSeconds = 1;
/** Cache time of a segment on an edge, minutes: longer than any playlist lists the segment. Segments never change. */
const segmentMinutes = 10;

export function nginxEdgeText(servers: BalancedServers): string {
  return `# HLS edge: viewers connect to this machine, which fetches each playlist and segment from the server once.
# Switch on high-performance HLS in the settings of the server first. Check with: nginx -t
${nginxHead}
http {
    access_log off;
    sendfile on;
    tcp_nopush on;
    server_tokens off;

    proxy_cache_path /var/cache/nginx/srs-stack levels=1:2 keys_zone=srs_stack:16m
                     max_size=4g inactive=${segmentMinutes}m use_temp_path=off;

${nginxUpstream(servers, 'hash $uri consistent;')}

    server {
        listen 80;
        listen [::]:80;

        proxy_http_version 1.1;
        proxy_set_header Connection "";
        proxy_set_header Host $host;
        proxy_set_header X-Forwarded-For $remote_addr;
        proxy_set_header X-Forwarded-Proto $scheme;${nginxTls(servers, '        ')}
        proxy_cache srs_stack;
        proxy_cache_lock on;
        proxy_cache_lock_timeout 10s;
        proxy_ignore_headers Cache-Control Expires;
        add_header X-Cache-Status $upstream_cache_status always;

        location ~ \\.m3u8$ {
            proxy_cache_key $uri$is_args$args;
            proxy_cache_valid 200 ${playlistSeconds}s;
            proxy_cache_valid 404 ${playlistSeconds}s;
            proxy_pass ${protocolOf(servers)}://srs_stack;
        }

        location ~ \\.ts$ {
            proxy_cache_key $uri;
            proxy_cache_valid 200 ${segmentMinutes}m;
            proxy_cache_valid 404 ${playlistSeconds}s;
            proxy_pass ${protocolOf(servers)}://srs_stack;
        }

        location / {
            return 404;
        }
    }
}
`;
}
