// Generates the secret of a room: 16 upper-case hex digits.

const secretBytes = 8;

export function newRoomSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(secretBytes));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .toUpperCase();
}
