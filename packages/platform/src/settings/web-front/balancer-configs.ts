// Ready configurations of what may stand in front of one or more servers: an HLS edge that caches, and load balancers.
// Pure; the tests have nginx and HAProxy check what is written here.
import type { BalancerProgram } from '@srs-stack/contract';
import { addressOf, type Backend } from './balancer-backends.ts';

/** Seconds an edge keeps a playlist: half a segment, so that viewers are never a segment behind because of it. */
const playlistSeconds = 1;
/** Minutes an edge keeps a segment: longer than any playlist names it. Its content never changes. */
const segmentMinutes = 10;

export interface BalancerConfiguration {
  readonly program: BalancerProgram;
  readonly fileName: string;
  readonly text: string;
}

/** `rtmpPort`: of the backends, for the balancer that carries RTMP too; null when they have none. */
export function balancerConfigurations(backends: readonly Backend[], rtmpPort: number | null): BalancerConfiguration[] {
  return [
    { program: 'nginx-edge', fileName: 'nginx.conf', text: nginxEdge(backends) },
    { program: 'nginx', fileName: 'nginx.conf', text: nginxBalancer(backends) },
    { program: 'haproxy', fileName: 'haproxy.cfg', text: haproxy(backends, rtmpPort) },
    { program: 'caddy', fileName: 'Caddyfile', text: caddy(backends) },
  ];
}

const protocolOf = (backends: readonly Backend[]) => backends[0]?.protocol ?? 'http';

function nginxUpstream(backends: readonly Backend[], sticky: string): string {
  const servers = backends.map((backend) => `        server ${addressOf(backend)} max_fails=2 fail_timeout=5s;`);
  return ['    upstream srs_stack {', `        ${sticky}`, ...servers, '        keepalive 64;', '    }'].join('\n');
}

function nginxTls(backends: readonly Backend[], indent: string): string {
  return protocolOf(backends) === 'https' ? `\n${indent}proxy_ssl_server_name on;` : '';
}

const nginxHead = `worker_processes auto;
worker_rlimit_nofile 65536;

events {
    worker_connections 16384;
}
`;

function nginxEdge(backends: readonly Backend[]): string {
  return `# HLS edge: viewers ask this machine, each playlist and segment is fetched from the server once.
# Switch on high-performance HLS in the settings of the server first. Check with: nginx -t
${nginxHead}
http {
    access_log off;
    sendfile on;
    tcp_nopush on;
    server_tokens off;

    proxy_cache_path /var/cache/nginx/srs-stack levels=1:2 keys_zone=srs_stack:16m
                     max_size=4g inactive=${segmentMinutes}m use_temp_path=off;

${nginxUpstream(backends, 'hash $uri consistent;')}

    server {
        listen 80;
        listen [::]:80;

        proxy_http_version 1.1;
        proxy_set_header Connection "";
        proxy_set_header Host $host;
        proxy_set_header X-Forwarded-For $remote_addr;
        proxy_set_header X-Forwarded-Proto $scheme;${nginxTls(backends, '        ')}
        proxy_cache srs_stack;
        proxy_cache_lock on;
        proxy_cache_lock_timeout 10s;
        proxy_ignore_headers Cache-Control Expires;
        add_header X-Cache-Status $upstream_cache_status always;

        location ~ \\.m3u8$ {
            proxy_cache_key $uri$is_args$args;
            proxy_cache_valid 200 ${playlistSeconds}s;
            proxy_cache_valid 404 ${playlistSeconds}s;
            proxy_pass ${protocolOf(backends)}://srs_stack;
        }

        location ~ \\.ts$ {
            proxy_cache_key $uri;
            proxy_cache_valid 200 ${segmentMinutes}m;
            proxy_cache_valid 404 ${playlistSeconds}s;
            proxy_pass ${protocolOf(backends)}://srs_stack;
        }

        location / {
            return 404;
        }
    }
}
`;
}

function nginxBalancer(backends: readonly Backend[]): string {
  return `# Everything over HTTP: console, API, HTTP-FLV, HLS, WebSocket and WebRTC signalling. Check with: nginx -t
# Start the servers with TRUST_PROXY set to the address of this machine, so that they see the viewers' addresses.
${nginxHead}
http {
    access_log off;
    server_tokens off;

    map $http_upgrade $srs_stack_connection {
        default upgrade;
        ''      '';
    }

${nginxUpstream(backends, 'hash $remote_addr consistent;')}

    server {
        listen 80;
        listen [::]:80;

        # An upload may be as large as the server allows.
        client_max_body_size 0;

        location / {
            proxy_pass ${protocolOf(backends)}://srs_stack;
            proxy_http_version 1.1;
            proxy_set_header Host $host;
            proxy_set_header Upgrade $http_upgrade;
            proxy_set_header Connection $srs_stack_connection;
            proxy_set_header X-Forwarded-For $remote_addr;
            proxy_set_header X-Forwarded-Proto $scheme;
            proxy_set_header X-Forwarded-Host $http_host;${nginxTls(backends, '            ')}
            # Streams have no end and must not wait in a buffer.
            proxy_buffering off;
            proxy_request_buffering off;
            proxy_read_timeout 1h;
            proxy_send_timeout 1h;
        }
    }
}
`;
}

function haproxy(backends: readonly Backend[], rtmpPort: number | null): string {
  const tls = protocolOf(backends) === 'https' ? ' ssl verify none' : '';
  const servers = backends.map((backend, index) => `    server srs${index + 1} ${addressOf(backend)} check${tls}`);
  const rtmp = `
frontend rtmp
    mode tcp
    bind :1935
    default_backend rtmp

backend rtmp
    mode tcp
    balance source
${backends.map(({ host }, index) => `    server srs${index + 1} ${host}:${rtmpPort} check`).join('\n')}
`;
  return `# HTTP and RTMP. Check with: haproxy -c -f haproxy.cfg
# Start the servers with TRUST_PROXY set to the address of this machine, so that they see the viewers' addresses.
global
    maxconn 20000

defaults
    mode http
    timeout connect 5s
    timeout client 1h
    timeout server 1h
    timeout tunnel 1h
    option redispatch
    default-server init-addr last,libc,none

frontend web
    bind :80
    option forwardfor
    http-request set-header X-Forwarded-Proto http
    default_backend web

backend web
    balance source
    option httpchk GET /terraform/v1/host/versions
${servers.join('\n')}
${rtmpPort === null ? '' : rtmp}`;
}

function caddy(backends: readonly Backend[]): string {
  const urls = backends.map((backend) => `${backend.protocol}://${addressOf(backend)}`).join(' ');
  return `# Replace :80 by your domain and Caddy obtains a certificate for it. Check with: caddy validate
# Start the servers with TRUST_PROXY set to the address of this machine, so that they see the viewers' addresses.
:80 {
	reverse_proxy ${urls} {
		lb_policy ip_hash
		# Streams have no end and must not wait in a buffer.
		flush_interval -1
	}
}
`;
}
