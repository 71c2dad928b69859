import {
  type Camera,
  type CameraRow,
  type DiscoveredCamera,
  type OnvifDevice,
  type OnvifProfile,
  toWirePhrase,
  type WorkerStatus,
  workerDetail,
} from '@srs-stack/contract';
import { data } from '../gallery-page.ts';
import { liveStream } from './streams.ts';
import { worker } from './workers.ts';

const frame = {
  log: 'frame= 9310 fps= 25 q=-1.0 size=  102400kB time=00:06:12.40 bitrate=2252.4kbits/s speed=1.00x',
  update: '2026-03-08T12:14:58Z',
};
const run = { frame, start: '2026-03-08T11:12:55Z', ready: '2026-03-08T11:12:56Z' };

function camera(platform: string, label: string, secret: string, target: string, change: Partial<Camera> = {}): Camera {
  const media = { format: null, video: null, audio: null };
  return {
    ...{ platform, label, secret, server: '', enabled: true, custom: true },
    files: [{ name: 'main', path: '', size: 0, uuid: `u-${platform}`, target, type: 'stream', ...media }],
    ...{ extraAudio: '', acceptsAnyCertificate: false, transport: 'tcp', onDemand: false, subAddress: '', ptz: null },
    ...change,
  };
}

const all = [
  camera('camera-1', 'Front door', 'door', 'rtsp://admin:pass@192.168.1.64/Streaming/Channels/101', {
    subAddress: 'rtsp://admin:pass@192.168.1.64/Streaming/Channels/102',
    ptz: { address: 'http://admin:pass@192.168.1.64/onvif/device_service', profile: 'Profile_1' },
  }),
  camera('camera-2', '', 'yard', 'rtsps://admin:pass@192.168.1.65/h264/main', { acceptsAnyCertificate: true }),
  camera('camera-3', 'Garage', 'garage', 'rtsp://admin:pass@192.168.1.66/h264/main'),
  camera('camera-4', 'Roof', 'roof', 'rtsp://admin:pass@192.168.1.67/mjpeg'),
  camera('camera-9', 'Hall', 'hall', 'rtsp://admin:pass@192.168.1.69/h264/main', { onDemand: true }),
  camera('camera-6', 'Stadium', 'stadium', 'srt://192.0.2.7:9000?streamid=gate&passphrase=******'),
  camera('camera-7', 'Head end', 'tv', 'udp://@239.1.1.1:5000'),
  camera('camera-8', 'Partner', 'partner', 'https://example.com/live/stream.m3u8'),
  camera('camera-5', 'Attic', 'attic', 'rtsp://admin:pass@192.168.1.68/h264/main', { enabled: false }),
];

const kinds: Record<string, CameraRow['kind']> = { rtsp: 'rtsp', rtsps: 'rtsp', srt: 'srt', udp: 'udp' };
const wrongPassword = workerDetail('camera-credentials-refused');
const udpOff = workerDetail('camera-udp-off');
const mjpeg = workerDetail('camera-video-unsupported', { codecs: 'JPEG' });

function pick({ state, reason, reasonDetail, retryInMs }: WorkerStatus) {
  return { state, reason, reasonDetail, retryInMs };
}

function row(
  { platform, enabled, custom, label, files, extraAudio, onDemand, ptz, secret }: Camera,
  status: Partial<CameraRow>,
) {
  const masked = files.map((file) => ({ ...file, target: file.target.replace(':pass@', ':******@') }));
  const kind = kinds[files[0]?.target.split(':', 1)[0] ?? ''] ?? 'hls';
  const common = {
    ...{ platform, enabled, custom, label, extraAudio, onDemand, files: masked, kind },
    hasPtz: ptz !== null,
    stream: `live/${secret}`,
  };
  return { ...common, ...worker(enabled ? 'running' : 'idle'), pid: 0, command: '', ...status };
}

export const cameras: Record<string, Camera> = Object.fromEntries(all.map((each) => [each.platform, each]));
export const cameraRows: CameraRow[] = [
  row(all[0]!, { ...run, sub: { stream: 'live/door_sub', ...pick(worker('running')) } }),
  row(all[1]!, worker('starting', { pid: 0, command: '' })),
  row(
    all[2]!,
    worker('retrying', {
      reason: 'not-authorized',
      reasonDetail: wrongPassword.text,
      detail: toWirePhrase(wrongPassword),
    }),
  ),
  row(all[3]!, worker('error', { reason: 'codec-unsupported', reasonDetail: mjpeg.text, detail: toWirePhrase(mjpeg) })),
  row(all[4]!, worker('waiting', { pid: 0, command: '' })),
  row(all[5]!, run),
  row(all[6]!, worker('error', { reason: 'address-refused', reasonDetail: udpOff.text, detail: toWirePhrase(udpOff) })),
  row(all[7]!, worker('running', { pid: 0, command: '' })),
  row(all[8]!, {}),
];

export const cameraStreams = data({
  mediaServer: true,
  streams: [liveStream({ id: 'vid-door', stream: 'door', publisherProtocol: 'rtsp', bitrateKbps: 2_252, viewers: 3 })],
  refusals: [],
});

export const discovered: DiscoveredCamera[] = [
  {
    ...{ address: 'http://192.168.1.64/onvif/device_service', host: '192.168.1.64' },
    ...{ name: 'Front door', model: 'DS-2CD2143G2' },
  },
  { address: 'http://192.168.1.70/onvif/device_service', host: '192.168.1.70', name: '', model: 'P3245-V' },
];

const profile = (token: string, width: number, height: number): OnvifProfile => ({
  ...{ token, name: token, codec: 'H264', width, height, fps: 25, hasPtz: true },
  address: `rtsp://admin:pass@192.168.1.64/${token}`,
});
export const onvifDevice: OnvifDevice = {
  ...{ model: 'DS-2CD2143G2', address: 'http://admin:pass@192.168.1.64/onvif/device_service', snapshot: '' },
  profiles: [profile('mainStream', 2560, 1440), profile('subStream', 640, 360)],
};
