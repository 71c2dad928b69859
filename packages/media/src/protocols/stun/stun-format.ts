// Constants of STUN messages, RFC 8489 §5 and §14, and of ICE attributes, RFC 8445 §16.1.
//
//   |0 0| type (14) | length (16), without this header | cookie (32) | transaction id (96) | attributes …
//   attribute: | type (16) | length (16), without padding | value … padding to 4 bytes |

export const stunHeaderBytes = 20;
export const stunCookie = 0x2112a442;
export const attributeHeaderBytes = 4;

/** Message types of Binding, the only method of ICE (RFC 8489 §18.2). */
export const bindingType = { request: 0x0001, indication: 0x0011, success: 0x0101, error: 0x0111 } as const;
export const bindingMethod = 0x001;

export const stunAttribute = {
  mappedAddress: 0x0001,
  username: 0x0006,
  messageIntegrity: 0x0008,
  errorCode: 0x0009,
  unknownAttributes: 0x000a,
  realm: 0x0014,
  nonce: 0x0015,
  messageIntegritySha256: 0x001c,
  passwordAlgorithm: 0x001d,
  userHash: 0x001e,
  xorMappedAddress: 0x0020,
  priority: 0x0024,
  useCandidate: 0x0025,
  fingerprint: 0x8028,
  iceControlled: 0x8029,
  iceControlling: 0x802a,
} as const;

export const integrityBytes = 20;
/** XOR mask that distinguishes FINGERPRINT from the CRC-32 of an enclosing protocol (RFC 8489 §14.7). */
export const fingerprintMask = 0x5354554e;

/** Size of an attribute with header and padding (RFC 8489 §14). */
export function attributeBytes(valueBytes: number): number {
  return attributeHeaderBytes + ((valueBytes + 3) & ~3);
}
