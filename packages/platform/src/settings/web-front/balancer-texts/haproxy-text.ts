// HAProxy: HTTP(S), RTMP and RTSP with health checks. Tests run HAProxy with this configuration.
import {
  addressesAt,
  type BalancedServers,
  checkSeconds,
  commonNotes,
  protocolOf,
  publicPorts,
  quietHours,
  webAddresses,
} from './balancer-servers.ts';

export function haproxyText(servers: BalancedServers): string {
  return `# HTTP, RTMP and RTSP for several servers; a server that is drained or down gets no new clients. Check with: haproxy -c -f haproxy.cfg
${commonNotes(servers)}
${srtNote(servers)}
# HAProxy opens two files (sockets) for each viewer: the limit is LimitNOFILE of its service.
defaults
    mode http
    timeout connect 5s
    timeout http-request 10s
    # Streams and WebSockets have no end, and may be silent while a publisher pauses.
    timeout client ${quietHours}h
    timeout server ${quietHours}h
    timeout tunnel ${quietHours}h
    option redispatch
    default-server init-addr last,libc,none inter ${checkSeconds}s fall 2 rise 2
${webText(servers)}${tcpText(servers, 'rtmp', servers.rtmpPort)}${tcpText(servers, 'rtsp', servers.rtspPort)}`;
}

function srtNote({ srtPort }: BalancedServers): string {
  return srtPort === null
    ? '# SRT is switched off on the servers.'
    : `# HAProxy does not support UDP, so SRT cannot pass through it: callers use port ${srtPort} of a server, or the nginx configuration beside it.`;
}

function webText(servers: BalancedServers): string {
  const tls = protocolOf(servers) === 'https' ? ' ssl verify none' : '';
  const lines = webAddresses(servers).map((address, index) => `    server srs${index + 1} ${address} check${tls}`);
  // Assigns a client always to one server: other servers do not know its HLS sessions, WHIP resources and WHEP resources.
  const backend = (name: string, path: string) => `
backend ${name}
    balance source
    hash-type consistent
    option httpchk GET ${path}
    http-check expect status 200
${lines.join('\n')}
`;
  return `
frontend web
    bind :80
    # For HTTPS: certificate and key in one file.
    # bind :443 ssl crt /etc/haproxy/srs-stack.pem
    http-request del-header X-Forwarded-For
    option forwardfor
    http-request set-header X-Forwarded-Proto http
    http-request set-header X-Forwarded-Proto https if { ssl_fc }
    http-request set-header X-Forwarded-Host %[req.hdr(Host)]
    # If no server is ready (all drained, or their store is down), viewers are still sent to servers that are up.
    use_backend web_alive if { nbsrv(web) lt 1 }
    default_backend web
${backend('web', '/readyz')}${backend('web_alive', '/healthz')}`;
}

/** Section for a TCP protocol. A health check over HTTP finds servers that accept publishers. */
function tcpText(servers: BalancedServers, name: 'rtmp' | 'rtsp', port: number | null): string {
  const { backends } = servers;
  if (port === null) return '';
  const tls = protocolOf(servers) === 'https' ? ' check-ssl verify none' : '';
  const lines = addressesAt(servers, port).map(
    (address, index) => `    server srs${index + 1} ${address} check port ${backends[index]?.port}${tls}`,
  );
  return `
frontend ${name}
    mode tcp
    bind :${publicPorts[name]}
    default_backend ${name}

backend ${name}
    mode tcp
    balance source
    hash-type consistent
    option httpchk GET /readyz
    http-check expect status 200
${lines.join('\n')}
`;
}
