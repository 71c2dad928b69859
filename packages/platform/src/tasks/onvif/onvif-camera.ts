// A camera over ONVIF (Profile S): stream profiles with addresses, an image, and pan, tilt and zoom. All requests go to the host that the
// operator entered, whatever addresses the camera reports.
import { randomBytes } from 'node:crypto';
import { maxTargetUrlLength, type OnvifProfile } from '@srs-stack/contract';
import type { Credentials } from '@srs-stack/media/protocols/rtsp/credentials.ts';
import { maxImageBytes, maxSoapBytes, sendCameraRequest } from './camera-http.ts';
import { onvifFailure, onvifFault, onvifInvalid, onvifNotAuthorized } from './onvif-failure.ts';
import { clockAheadOf, modelOf, type Preset, presetsOf, profilesOf } from './onvif-responses.ts';
import { parseSoap, writeSoap } from './soap-message.ts';
import { childAt, escapeXml, textAt, type XmlElement } from './soap-xml.ts';

/** The camera stops moving after this time even without a stop command, seconds. */
const moveSeconds = 5;

const deviceNamespace = 'http://www.onvif.org/ver10/device/wsdl';
const mediaNamespace = 'http://www.onvif.org/ver10/media/wsdl';
const ptzNamespace = 'http://www.onvif.org/ver20/ptz/wsdl';
const schemaNamespace = 'http://www.onvif.org/ver10/schema';

export interface OnvifCameraOptions {
  readonly url: URL;
  readonly credentials: Credentials | undefined;
  readonly acceptsAnyCertificate: boolean;
  readonly signal: AbortSignal;
  /** Start of the operator's request, milliseconds of `performance.now()`. */
  readonly startedAtMs: number;
}

/** Speed of each axis, -1 to 1. */
export interface Velocity {
  readonly pan: number;
  readonly tilt: number;
  readonly zoom: number;
}

export class OnvifCamera {
  readonly #options: OnvifCameraOptions;
  /** Clock of the camera minus local clock, milliseconds. */
  readonly #clockAheadMs: number;
  readonly #media: URL;
  readonly #ptz: URL | undefined;

  private constructor(
    options: OnvifCameraOptions,
    { clockAheadMs, media, ptz }: { clockAheadMs: number; media: URL; ptz: URL | undefined },
  ) {
    this.#options = options;
    this.#clockAheadMs = clockAheadMs;
    this.#media = media;
    this.#ptz = ptz;
  }

  /** Reads clock and services of the camera. Like all methods, rejects with an AppError for the operator. */
  static async connect(options: OnvifCameraOptions): Promise<OnvifCamera> {
    const clockAheadMs = await readClock(options);
    const request = `<GetCapabilities xmlns="${deviceNamespace}"><Category>All</Category></GetCapabilities>`;
    const body = await call(options, options.url, request, clockAheadMs);
    const capabilities = childAt(body, 'GetCapabilitiesResponse', 'Capabilities');
    const serviceAt = (name: string) => serviceUrl(textAt(capabilities, name, 'XAddr'), options.url);
    return new OnvifCamera(options, {
      ...{ clockAheadMs, ptz: serviceAt('PTZ') },
      media: serviceAt('Media') ?? options.url,
    });
  }

  async model(): Promise<string> {
    const body = await this.#call(this.#options.url, `<GetDeviceInformation xmlns="${deviceNamespace}"/>`);
    return modelOf(body);
  }

  /** The stream profiles. Each address contains user and password, if there are credentials. */
  async profiles(): Promise<OnvifProfile[]> {
    const body = await this.#call(this.#media, `<GetProfiles xmlns="${mediaNamespace}"/>`);
    const profiles: OnvifProfile[] = [];
    for (const profile of profilesOf(body)) {
      const address = await this.#streamAddress(profile.token);
      if (address !== '') profiles.push({ ...profile, address });
    }
    return profiles.map((profile) => ({ ...profile, hasPtz: profile.hasPtz && this.#ptz !== undefined }));
  }

  /** A JPEG; undefined if the camera has no image. */
  async snapshot(profile: string): Promise<Buffer | undefined> {
    const request = `<GetSnapshotUri xmlns="${mediaNamespace}"><ProfileToken>${escapeXml(profile)}</ProfileToken></GetSnapshotUri>`;
    const body = await this.#call(this.#media, request);
    const url = serviceUrl(textAt(body, 'GetSnapshotUriResponse', 'MediaUri', 'Uri'), this.#options.url);
    if (!url) return undefined;
    const { credentials, acceptsAnyCertificate, signal, startedAtMs } = this.#options;
    const query = { url, method: 'GET' as const, credentials, acceptsAnyCertificate, signal, maxBytes: maxImageBytes };
    const response = await sendCameraRequest(query).catch((error: unknown) =>
      Promise.reject(onvifFailure(error, url.hostname, performance.now() - startedAtMs)),
    );
    const isJpeg = response.body[0] === 0xff && response.body[1] === 0xd8;
    return response.status === 200 && isJpeg ? response.body : undefined;
  }

  /** Moves for at most `moveSeconds`, or until the next call. Stops if all speeds are 0. */
  async move(profile: string, { pan, tilt, zoom }: Velocity): Promise<void> {
    const token = `<ProfileToken>${escapeXml(profile)}</ProfileToken>`;
    if (pan === 0 && tilt === 0 && zoom === 0) {
      await this.#callPtz(`<Stop xmlns="${ptzNamespace}">${token}<PanTilt>true</PanTilt><Zoom>true</Zoom></Stop>`);
      return;
    }
    const panTilt = pan === 0 && tilt === 0 ? '' : `<PanTilt x="${pan}" y="${tilt}" xmlns="${schemaNamespace}"/>`;
    const zooming = zoom === 0 ? '' : `<Zoom x="${zoom}" xmlns="${schemaNamespace}"/>`;
    const velocity = `<Velocity>${panTilt}${zooming}</Velocity><Timeout>PT${moveSeconds}S</Timeout>`;
    await this.#callPtz(`<ContinuousMove xmlns="${ptzNamespace}">${token}${velocity}</ContinuousMove>`);
  }

  async presets(profile: string): Promise<Preset[]> {
    const request = `<GetPresets xmlns="${ptzNamespace}"><ProfileToken>${escapeXml(profile)}</ProfileToken></GetPresets>`;
    const body = await this.#callPtz(request);
    return presetsOf(body);
  }

  async goToPreset(profile: string, preset: string): Promise<void> {
    const tokens = `<ProfileToken>${escapeXml(profile)}</ProfileToken><PresetToken>${escapeXml(preset)}</PresetToken>`;
    await this.#callPtz(`<GotoPreset xmlns="${ptzNamespace}">${tokens}</GotoPreset>`);
  }

  async #streamAddress(token: string): Promise<string> {
    const setup = `<Stream xmlns="${schemaNamespace}">RTP-Unicast</Stream><Transport xmlns="${schemaNamespace}"><Protocol>RTSP</Protocol></Transport>`;
    const request = `<GetStreamUri xmlns="${mediaNamespace}"><StreamSetup>${setup}</StreamSetup><ProfileToken>${escapeXml(token)}</ProfileToken></GetStreamUri>`;
    const body = await this.#call(this.#media, request);
    return this.#rtspAddress(textAt(body, 'GetStreamUriResponse', 'MediaUri', 'Uri'));
  }

  /** Replaces the host by the host that the operator entered: cameras behind NAT report an internal address. */
  #rtspAddress(text: string): string {
    const [, scheme = '', port = '', rest = ''] =
      /^(rtsps?):\/\/(?:[^/@]*@)?(?:\[[0-9a-f:.]+\]|[^/?#:@[\]\s]+)(:\d{1,5})?([/?][^\s\p{Cc}]*)?$/iu.exec(text) ?? [];
    if (scheme === '') return '';
    const { url, credentials } = this.#options;
    const login = credentials
      ? `${encodeURIComponent(credentials.user)}:${encodeURIComponent(credentials.password)}@`
      : '';
    const address = `${scheme.toLowerCase()}://${login}${url.hostname}${port}${rest}`;
    return address.length > maxTargetUrlLength ? '' : address;
  }

  #callPtz(request: string): Promise<XmlElement> {
    if (!this.#ptz) throw onvifFault('');
    return this.#call(this.#ptz, request);
  }

  #call(url: URL, request: string): Promise<XmlElement> {
    return call(this.#options, url, request, this.#clockAheadMs);
  }
}

/** Reads the clock of the camera, because authentication tokens contain the camera's time. Needs no password (ONVIF Core §5.12). */
async function readClock(options: OnvifCameraOptions): Promise<number> {
  const request = `<GetSystemDateAndTime xmlns="${deviceNamespace}"/>`;
  const body = await call({ ...options, credentials: undefined }, options.url, request, 0).catch(
    (error: unknown) => error,
  );
  // Assumes a correct clock if the camera hides its clock. If the camera is unreachable, the next call fails.
  return body instanceof Error ? 0 : clockAheadOf(body as XmlElement, Date.now());
}

async function call(options: OnvifCameraOptions, url: URL, request: string, clockAheadMs: number): Promise<XmlElement> {
  const { credentials, acceptsAnyCertificate, signal, startedAtMs } = options;
  const token = credentials && {
    ...{ credentials, nonce: randomBytes(16) },
    at: new Date(Date.now() + clockAheadMs),
  };
  const { status, body } = await sendCameraRequest({
    ...{ url, method: 'POST', credentials, acceptsAnyCertificate, body: writeSoap(request, token) },
    ...{ signal, maxBytes: maxSoapBytes },
    headers: { 'content-type': 'application/soap+xml; charset=utf-8' },
  }).catch((error: unknown) => Promise.reject(onvifFailure(error, url.hostname, performance.now() - startedAtMs)));
  const response = parseSoap(body.toString('utf8'));
  if (status === 401 || (response.kind === 'fault' && response.isUnauthorized)) throw onvifNotAuthorized();
  if (response.kind === 'fault') throw onvifFault(response.reason);
  if (response.kind === 'invalid') throw onvifInvalid();
  return response.body;
}

/** Returns the reported path on the host that the operator entered. Uses the reported port only if the reported host is equal. */
function serviceUrl(text: string, base: URL): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const named = new URL(text);
  if (named.protocol !== 'http:' && named.protocol !== 'https:') return undefined;
  const url = new URL(base);
  url.pathname = named.pathname;
  url.search = named.search;
  if (named.hostname !== base.hostname) return url;
  url.port = named.port;
  // Never downgrades TLS to plain HTTP.
  if (base.protocol === 'http:') url.protocol = named.protocol;
  return url;
}
