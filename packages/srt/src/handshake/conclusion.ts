// Checks the requests in a caller's conclusion against the options of this side (draft-sharabayko-srt-01 §4.3.1.2).
import { parseKeyMaterial } from '../crypto/key-material.ts';
import { PayloadCipher } from '../crypto/payload-cipher.ts';
import {
  extensionFlag,
  extensionType,
  type Handshake,
  type HandshakeExtension,
  parseCapabilities,
  parseExtensionText,
  srtFlag,
  writeCapabilities,
} from '../packet/handshake-packet.ts';
import { maxStreamIdBytes } from '../stream-id.ts';
import { ownFlags, type SrtOptions, srtVersion } from './handshake-options.ts';
import { type RejectReason, rejectReason } from './reject-reason.ts';

export interface AgreedTerms {
  readonly streamId: string;
  readonly receiverLatencyMs: number;
  readonly senderLatencyMs: number;
  readonly cipher: PayloadCipher | undefined;
  readonly responseExtensions: HandshakeExtension[];
  readonly responseExtensionField: number;
}

export type Agreement =
  | { readonly ok: true; readonly terms: AgreedTerms }
  | { readonly ok: false; readonly reject: RejectReason; readonly streamId: string };

/** Negotiates latency, encryption and mode. Throws SrtProtocolError for malformed extensions. */
export function agreeOnConclusion(handshake: Handshake, options: SrtOptions): Agreement {
  if (handshake.version < 5) return agreeOnVersion4(options);
  const content = (type: number) => handshake.extensions.find((extension) => extension.type === type)?.content;
  const request = content(extensionType.handshakeRequest);
  const streamIdContent = content(extensionType.streamId);
  if (streamIdContent && streamIdContent.length > maxStreamIdBytes) return refuse(rejectReason.badRequest);
  const streamId = streamIdContent ? parseExtensionText(streamIdContent) : '';
  if (!request) return refuse(rejectReason.rogue, streamId);
  const capabilities = parseCapabilities(request);
  if (capabilities.flags & srtFlag.streamMode) return refuse(rejectReason.messageApi, streamId);
  const congestion = content(extensionType.congestion);
  if (congestion && parseExtensionText(congestion) !== 'live') return refuse(rejectReason.congestion, streamId);
  const encryption = agreeOnEncryption(content(extensionType.keyMaterialRequest), options);
  if (!encryption.ok) return refuse(encryption.reject, streamId);

  const receiverLatencyMs = Math.max(options.receiverLatencyMs, capabilities.senderLatencyMs);
  const senderLatencyMs = Math.max(options.senderLatencyMs, capabilities.receiverLatencyMs);
  const response = writeCapabilities({ srtVersion, flags: ownFlags, receiverLatencyMs, senderLatencyMs });
  const responseExtensions = [{ type: extensionType.handshakeResponse, content: response }, ...encryption.response];
  return {
    ok: true,
    terms: {
      streamId,
      receiverLatencyMs,
      senderLatencyMs,
      cipher: encryption.cipher,
      responseExtensions,
      responseExtensionField:
        extensionFlag.handshake | (encryption.response.length > 0 ? extensionFlag.keyMaterial : 0),
    },
  };
}

function agreeOnVersion4(options: SrtOptions): Agreement {
  if (options.passphrase) return refuse(rejectReason.unsecure);
  return {
    ok: true,
    terms: {
      streamId: '',
      receiverLatencyMs: options.receiverLatencyMs,
      senderLatencyMs: options.senderLatencyMs,
      cipher: undefined,
      responseExtensions: [],
      responseExtensionField: 0,
    },
  };
}

type EncryptionAgreement =
  | { ok: true; cipher: PayloadCipher | undefined; response: HandshakeExtension[] }
  | { ok: false; reject: RejectReason };

/** Both sides encrypt, or neither side does. A stream that should be encrypted is thus never sent in plain text. */
function agreeOnEncryption(message: Buffer | undefined, options: SrtOptions): EncryptionAgreement {
  if (!options.passphrase)
    return message ? refuse(rejectReason.unsecure) : { ok: true, cipher: undefined, response: [] };
  if (!message) return refuse(rejectReason.unsecure);
  const keys = parseKeyMaterial(message, options.passphrase);
  if (!keys) return refuse(rejectReason.badSecret);
  const response = [{ type: extensionType.keyMaterialResponse, content: message }];
  return { ok: true, cipher: new PayloadCipher(keys), response };
}

function refuse(reject: RejectReason, streamId = ''): { ok: false; reject: RejectReason; streamId: string } {
  return { ok: false, reject, streamId };
}
