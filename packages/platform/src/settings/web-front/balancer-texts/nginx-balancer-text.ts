// nginx as a load balancer: HTTP(S), RTMP, RTSP and SRT. Tests run nginx with this configuration.
import {
  addressesAt,
  type BalancedServers,
  commonNotes,
  protocolOf,
  publicPorts,
  quietHours,
} from './balancer-servers.ts';
import { nginxHead, nginxTls, nginxUpstream } from './nginx-parts.ts';

export function nginxBalancerText(servers: BalancedServers): string {
  return `# HTTP, RTMP, RTSP and SRT for several servers. Check with: nginx -t
${commonNotes(servers)}
# This nginx has no health checks: it skips a server that does not respond. Before you drain one, append "down" to each
# of its addresses ("server 10.0.0.5:2022 down;") and reload nginx; HAProxy and Caddy detect draining automatically.
include /etc/nginx/modules-enabled/*.conf;
${nginxHead}
http {
    access_log off;
    server_tokens off;

    map $http_upgrade $srs_stack_connection {
        default upgrade;
        ''      '';
    }

    # A client always uses the same server, which has its HLS session and its WHIP and WHEP resources.
${nginxUpstream(servers, 'hash $remote_addr consistent;')}

    server {
        listen 80;
        listen [::]:80;
        # For HTTPS:
        # listen 443 ssl;
        # ssl_certificate     /etc/nginx/srs-stack.crt;
        # ssl_certificate_key /etc/nginx/srs-stack.key;

        # An upload may be as large as the server allows.
        client_max_body_size 0;

        location / {
            proxy_pass ${protocolOf(servers)}://srs_stack;
            proxy_http_version 1.1;
            proxy_set_header Host $host;
            proxy_set_header Upgrade $http_upgrade;
            proxy_set_header Connection $srs_stack_connection;
            proxy_set_header X-Forwarded-For $remote_addr;
            proxy_set_header X-Forwarded-Proto $scheme;
            proxy_set_header X-Forwarded-Host $http_host;${nginxTls(servers, '            ')}
            # Streams have no end and must not wait in a buffer.
            proxy_buffering off;
            proxy_request_buffering off;
            proxy_read_timeout ${quietHours}h;
            proxy_send_timeout ${quietHours}h;
        }
    }
}
${streamText(servers)}`;
}

/** Requires the stream module of nginx (libnginx-mod-stream in Debian). Servers see the load balancer's address, not the client's. */
function streamText(servers: BalancedServers): string {
  const { rtmpPort, rtspPort, srtPort } = servers;
  const parts = [
    ...(rtmpPort === null
      ? []
      : [streamServer(servers, { name: 'rtmp', port: rtmpPort, listen: `${publicPorts.rtmp}` })]),
    ...(rtspPort === null
      ? []
      : [streamServer(servers, { name: 'rtsp', port: rtspPort, listen: `${publicPorts.rtsp}` })]),
    // With reuseport, all datagrams of a caller reach one nginx worker.
    ...(srtPort === null
      ? []
      : [streamServer(servers, { name: 'srt', port: srtPort, listen: `${publicPorts.srt} udp reuseport` })]),
  ];
  if (parts.length === 0) return '';
  return `
# Needs the stream module (Debian: libnginx-mod-stream). The servers see the address of this machine.
stream {
${parts.join('\n')}}
`;
}

function streamServer(
  servers: BalancedServers,
  { name, port, listen }: { name: string; port: number; listen: string },
) {
  return `    upstream srs_stack_${name} {
        hash $remote_addr consistent;
${addressesAt(servers, port)
  .map((address) => `        server ${address} max_fails=2 fail_timeout=5s;`)
  .join('\n')}
    }
    server {
        listen ${listen};
        proxy_pass srs_stack_${name};
        proxy_connect_timeout 5s;
        proxy_timeout ${name === 'srt' ? '30s' : `${quietHours}h`};
    }
`;
}
