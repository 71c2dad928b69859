// A camera with ONVIF for tests, written from the specifications (ONVIF Core 20.12, Media 1, PTZ; WS-Discovery of April 2005). The test
// controls clock, responses and requirements.
import { createHash } from 'node:crypto';
import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';

export interface OnvifResponderOptions {
  readonly user?: string;
  readonly password?: string;
  /** `http-digest` requires HTTP Digest in place of a UsernameToken. */
  readonly demands?: 'token' | 'http-digest';
  /** Clock of the camera minus real time, milliseconds. */
  readonly clockAheadMs?: number;
  /** Responses of `GetStreamUri` by profile token. */
  readonly streams?: Readonly<Record<string, string>>;
  /** Replaces default responses, by request name. */
  readonly responses?: Readonly<Record<string, (response: ServerResponse) => void>>;
  readonly hasPtz?: boolean;
  /** Host name in responses; default: the real host. */
  readonly namesHost?: string;
  /** Responds to multicast probes on a network of this machine. */
  readonly isDiscoverable?: boolean;
}

export interface OnvifResponder {
  readonly url: string;
  readonly port: number;
  /** Port for probes without multicast. */
  readonly discoveryPort: number;
  /** Names of all requests in order. `ContinuousMove` includes its arguments. */
  readonly requests: string[];
  close(): Promise<void>;
}

/** Tokens older than this are refused, milliseconds. */
const tokenLifeMs = 60_000;
const group = { address: '239.255.255.250', port: 3702 } as const;
const loopback = '127.0.0.1';
const image = Buffer.from(
  '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAACf/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AKp//2Q==',
  'base64',
);

/** An address other than loopback, because loopback has no multicast. */
function networkAddress(): string {
  const all = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return all.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? loopback;
}

export async function startOnvifResponder(options: OnvifResponderOptions = {}): Promise<OnvifResponder> {
  const requests: string[] = [];
  const usedNonces = new Set<string>();
  const host = options.isDiscoverable ? networkAddress() : loopback;
  const server = createServer((request, response) => {
    respond(request, response).catch(() => response.destroy());
  });
  server.listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { hasPtz = true, namesHost = `${host}:${port}`, isDiscoverable = false } = options;
  const service = `http://${namesHost}/onvif/device_service`;

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = Buffer.concat(await request.toArray()).toString('utf8');
    const name = request.method === 'GET' ? 'snapshot' : (/<s:Body><(\w+)/.exec(text)?.[1] ?? '');
    requests.push(name === 'ContinuousMove' ? `${name} ${/<Velocity>.*<\/Timeout>/.exec(text)?.[0]}` : name);
    const own = options.responses?.[name];
    if (own) own(response);
    else if (name === 'GetSystemDateAndTime') sendSoap(response, 200, clockXml(options.clockAheadMs ?? 0));
    else if (options.demands === 'http-digest' && !hasDigest(request, options)) {
      const challenge = 'Digest realm="camera", qop="auth", nonce="n0nce", algorithm=MD5';
      response.writeHead(401, { 'www-authenticate': challenge }).end();
    } else if (name === 'snapshot') response.writeHead(200, { 'content-type': 'image/jpeg' }).end(image);
    else if (options.demands !== 'http-digest' && !hasToken(text, options, usedNonces))
      sendFault(response, 'ter:NotAuthorized', 'Sender not authorized');
    else sendAnswer(name, text, response);
  }

  function sendAnswer(name: string, text: string, response: ServerResponse): void {
    const token = /<ProfileToken>([^<]*)</.exec(text)?.[1] ?? '';
    const body = { ...deviceAnswers(service, hasPtz), ...mediaAnswers(service, token, options), ...ptzAnswers }[name];
    if (body === undefined) sendFault(response, 'ter:ActionNotSupported', `${name} is not supported`);
    else
      sendSoap(
        response,
        200,
        `<${name}Response xmlns:tt="http://www.onvif.org/ver10/schema">${body}</${name}Response>`,
      );
  }

  const socket = createSocket({ type: 'udp4', reuseAddr: isDiscoverable });
  socket.on('message', (data: Buffer, from: RemoteInfo) => {
    if (!data.includes('NetworkVideoTransmitter')) return;
    const probe = /MessageID>([^<]*)</.exec(data.toString('utf8'))?.[1] ?? '';
    socket.send(matchXml(service, probe), from.port, from.address);
  });
  if (isDiscoverable) {
    socket.bind(group.port);
    await once(socket, 'listening');
    socket.addMembership(group.address, host);
  } else {
    socket.bind(0, host);
    await once(socket, 'listening');
  }
  return {
    ...{ url: `http://${host}:${port}/onvif/device_service`, port, discoveryPort: socket.address().port, requests },
    async close() {
      socket.close();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function hasToken(
  text: string,
  { user = 'admin', password = 'p@ss', clockAheadMs = 0 }: OnvifResponderOptions,
  used: Set<string>,
): boolean {
  const value = (name: string): string => new RegExp(`:${name}\\b[^>]*>([^<]*)<`).exec(text)?.[1] ?? '';
  const nonce = value('Nonce');
  const created = value('Created');
  const expected = createHash('sha1')
    .update(Buffer.from(nonce, 'base64'))
    .update(created)
    .update(password)
    .digest('base64');
  const isInTime = Math.abs(Date.parse(created) - (Date.now() + clockAheadMs)) < tokenLifeMs;
  const isRight = value('Username') === user && value('Password') === expected && isInTime && !used.has(nonce);
  used.add(nonce);
  return isRight;
}

function hasDigest(request: IncomingMessage, { user = 'admin', password = 'p@ss' }: OnvifResponderOptions): boolean {
  const header = request.headers.authorization ?? '';
  const field = (name: string): string => new RegExp(`\\b${name}="?([^",]*)`).exec(header)?.[1] ?? '';
  const md5 = (text: string): string => createHash('md5').update(text).digest('hex');
  const secret = md5(`${user}:camera:${password}`);
  const target = md5(`${request.method}:${request.url}`);
  return field('response') === md5([secret, 'n0nce', field('nc'), field('cnonce'), 'auth', target].join(':'));
}

export function sendSoap(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'application/soap+xml; charset=utf-8' });
  response.end(
    `<?xml version="1.0" encoding="UTF-8"?><env:Envelope xmlns:env="http://www.w3.org/2003/05/soap-envelope" xmlns:ter="http://www.onvif.org/ver10/error"><env:Body>${body}</env:Body></env:Envelope>`,
  );
}

export function sendFault(response: ServerResponse, subcode: string, reason: string): void {
  const code = `<env:Code><env:Value>env:Sender</env:Value><env:Subcode><env:Value>${subcode}</env:Value></env:Subcode></env:Code>`;
  sendSoap(
    response,
    400,
    `<env:Fault>${code}<env:Reason><env:Text xml:lang="en">${reason}</env:Text></env:Reason></env:Fault>`,
  );
}

function clockXml(aheadMs: number): string {
  const now = new Date(Date.now() + aheadMs);
  const time = `<tt:Time><tt:Hour>${now.getUTCHours()}</tt:Hour><tt:Minute>${now.getUTCMinutes()}</tt:Minute><tt:Second>${now.getUTCSeconds()}</tt:Second></tt:Time>`;
  const date = `<tt:Date><tt:Year>${now.getUTCFullYear()}</tt:Year><tt:Month>${now.getUTCMonth() + 1}</tt:Month><tt:Day>${now.getUTCDate()}</tt:Day></tt:Date>`;
  return `<tds:GetSystemDateAndTimeResponse xmlns:tds="http://www.onvif.org/ver10/device/wsdl" xmlns:tt="http://www.onvif.org/ver10/schema"><tds:SystemDateAndTime><tt:UTCDateTime>${time}${date}</tt:UTCDateTime></tds:SystemDateAndTime></tds:GetSystemDateAndTimeResponse>`;
}

function deviceAnswers(service: string, hasPtz: boolean): Record<string, string> {
  const at = (name: string): string => `<tt:${name}><tt:XAddr>${service}/${name.toLowerCase()}</tt:XAddr></tt:${name}>`;
  return {
    GetCapabilities: `<Capabilities>${at('Media')}${hasPtz ? at('PTZ') : ''}</Capabilities>`,
    GetDeviceInformation: '<Manufacturer>Acme &amp; Co</Manufacturer><Model>Dome 7</Model>',
  };
}

function mediaAnswers(
  service: string,
  token: string,
  { streams, hasPtz = true }: OnvifResponderOptions,
): Record<string, string> {
  const profile = (name: string, width: number, height: number): string =>
    [
      `<Profiles token="${name}" fixed="true"><tt:Name>${name} stream</tt:Name><tt:VideoEncoderConfiguration token="v">`,
      `<tt:Encoding>H264</tt:Encoding><tt:Resolution><tt:Width>${width}</tt:Width><tt:Height>${height}</tt:Height></tt:Resolution>`,
      '<tt:RateControl><tt:FrameRateLimit>25</tt:FrameRateLimit></tt:RateControl></tt:VideoEncoderConfiguration>',
      `${hasPtz ? '<tt:PTZConfiguration token="p"/>' : ''}</Profiles>`,
    ].join('');
  const uri = streams?.[token] ?? `rtsp://192.0.2.1:554/${token}?a=1&amp;b=2`;
  return {
    GetProfiles: profile('main', 1920, 1080) + profile('sub', 640, 360),
    GetStreamUri: `<MediaUri><tt:Uri>${uri}</tt:Uri></MediaUri>`,
    GetSnapshotUri: `<MediaUri><tt:Uri>${service.replace('/onvif/device_service', '/snapshot.jpg')}</tt:Uri></MediaUri>`,
  };
}

const ptzAnswers: Record<string, string> = {
  ContinuousMove: '',
  Stop: '',
  GotoPreset: '',
  GetPresets: '<Preset token="1"><tt:Name>Gate</tt:Name></Preset><Preset token="2"/>',
};

function matchXml(service: string, probe: string): string {
  return [
    '<?xml version="1.0"?><SOAP-ENV:Envelope xmlns:SOAP-ENV="http://www.w3.org/2003/05/soap-envelope"',
    ' xmlns:wsa="http://schemas.xmlsoap.org/ws/2004/08/addressing" xmlns:d="http://schemas.xmlsoap.org/ws/2005/04/discovery">',
    `<SOAP-ENV:Header><wsa:RelatesTo>${probe}</wsa:RelatesTo></SOAP-ENV:Header><SOAP-ENV:Body><d:ProbeMatches><d:ProbeMatch>`,
    '<d:Types>dn:NetworkVideoTransmitter</d:Types>',
    '<d:Scopes>onvif://www.onvif.org/type/ptz onvif://www.onvif.org/name/Front%20door onvif://www.onvif.org/hardware/Dome7</d:Scopes>',
    `<d:XAddrs>http://169.254.7.7/onvif/device_service ${service}</d:XAddrs>`,
    '</d:ProbeMatch></d:ProbeMatches></SOAP-ENV:Body></SOAP-ENV:Envelope>',
  ].join('');
}
