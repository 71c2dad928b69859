// Generates a publish secret: 128 random bits as hex digits, which are safe in every URL and encoder.
const secretBytes = 16;

export function generateSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(secretBytes));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
