// Converts a stored camera to form values and back.
import type { AcquiredSource, Camera } from '@srs-stack/contract';

export interface CameraFields {
  readonly label: string;
  readonly address: string;
  readonly stream: string;
  readonly isSilent: boolean;
  readonly acceptsAnyCertificate: boolean;
  readonly transport: Camera['transport'];
  readonly onDemand: boolean;
  readonly subAddress: string;
  readonly ptz: Camera['ptz'];
}

/** Random part of the key of a new camera, characters. */
const keyLength = 8;

export function fieldsOf(camera: Camera | undefined): CameraFields {
  return {
    label: camera?.label ?? '',
    address: camera?.files[0]?.target ?? '',
    stream: camera?.secret ?? '',
    isSilent: camera?.extraAudio === 'silent',
    acceptsAnyCertificate: camera?.acceptsAnyCertificate ?? false,
    transport: camera?.transport ?? 'tcp',
    onDemand: camera?.onDemand ?? false,
    subAddress: camera?.subAddress ?? '',
    ptz: camera?.ptz ?? null,
  };
}

export function isReady({ address, stream }: CameraFields): boolean {
  return address.trim() !== '' && stream.trim() !== '';
}

/** Returns the body of the save call. A new camera is enabled. */
export function cameraOf(fields: CameraFields, before: Camera | undefined, checked?: AcquiredSource) {
  const { label, address, stream, isSilent, acceptsAnyCertificate, transport, onDemand, subAddress, ptz } = fields;
  const known = before?.files[0]?.target === address.trim() ? before.files : undefined;
  const source = checked ?? { name: '', uuid: '', size: 0, target: address.trim() };
  return {
    ...{ action: 'update', platform: before?.platform ?? newKey(), custom: true, label: label.trim() },
    ...{ server: before?.server ?? '', secret: stream.trim(), enabled: before?.enabled ?? true },
    files: known ?? [{ ...source, path: '', type: 'stream' as const, format: null, video: null, audio: null }],
    extraAudio: isSilent ? ('silent' as const) : ('' as const),
    acceptsAnyCertificate,
    transport,
    onDemand,
    subAddress: before?.server ? '' : subAddress.trim(),
    ptz,
  };
}

function newKey(): string {
  return `camera-${crypto.randomUUID().replaceAll('-', '').slice(0, keyLength)}`;
}
