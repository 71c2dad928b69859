// Downscales images in the browser to the limits of the server.
import { maxWatermarkBytes } from '@srs-stack/contract/limits.ts';
import type { WatchImageUse } from '@srs-stack/contract/values/watch-page.ts';

/** Maximum width and height of a downscaled image, pixels. */
const maxSides: Readonly<Record<WatchImageUse, number>> = { picture: 1_280, logo: 256 };
/** JPEG quality, 0 to 1. */
const quality = 0.9;

/** Returns the image in Base64; a file within the limit stays unchanged. Rejects if the browser cannot decode a larger file. */
export async function fittedImage(file: File, use: WatchImageUse): Promise<string> {
  if (file.size <= maxWatermarkBytes) return base64Of(file);
  const picture = await createImageBitmap(file);
  const scale = Math.min(1, maxSides[use] / Math.max(picture.width, picture.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  return base64Of(await blobOf(canvas, use === 'logo' ? 'image/png' : 'image/jpeg'));
}

function blobOf(canvas: HTMLCanvasElement, type: string): Promise<Blob> {
  return new Promise((resolve, reject) => {
    const take = (blob: Blob | null): void => (blob ? resolve(blob) : reject(new Error('the image is empty')));
    canvas.toBlob(take, type, quality);
  });
}

function base64Of(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).split(',')[1] ?? '');
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
