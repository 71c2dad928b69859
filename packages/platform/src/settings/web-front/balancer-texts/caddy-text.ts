// Caddy: HTTP(S) with health checks and automatic certificates. Tests run Caddy with this configuration.
import { type BalancedServers, checkSeconds, commonNotes, protocolOf, webAddresses } from './balancer-servers.ts';

export function caddyText(servers: BalancedServers): string {
  const protocol = protocolOf(servers);
  const urls = webAddresses(servers).map((address) => `${protocol}://${address}`);
  const transport = protocol === 'https' ? '\n\t\ttransport http {\n\t\t\ttls_insecure_skip_verify\n\t\t}' : '';
  return `# HTTP for several servers; a server that is drained or down gets no new clients. Check with: caddy validate
# Replace :80 by your domain and Caddy obtains a certificate for it.
${commonNotes(servers)}
# Caddy has neither TCP nor UDP without its layer4 plugin: RTMP and SRT go to the servers, or through HAProxy or nginx.
:80 {
	reverse_proxy ${urls.join(' ')} {
		# A client always uses the same server, which has its HLS session and its WHIP and WHEP resources.
		lb_policy ip_hash
		health_uri /readyz
		health_interval ${checkSeconds}s
		health_timeout ${checkSeconds}s
		health_status 200
		# Streams have no end and must not wait in a buffer.
		flush_interval -1${transport}
	}
}
`;
}
