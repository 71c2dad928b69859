// Queries the video site for one video. Uses a fixed address, follows no redirects, and limits time and response size.
import { request } from 'node:https';
import { z } from 'zod';

const site = 'https://api.bilibili.com/x/web-interface/view';
/** Timeout of a complete response, milliseconds. */
const answerTimeoutMs = 4_000;
/** Maximum response size, bytes; usual responses have about 10 KB. */
const maxResponseBytes = 512 * 1024;

const responseSchema = z.object({ code: z.literal(0), data: z.unknown() });

/** Resolves with the `data` object. Rejects after a timeout or for an unknown video. */
export async function queryBilibili(bvid: string): Promise<unknown> {
  const text = await get(`${site}?bvid=${encodeURIComponent(bvid)}`);
  return responseSchema.parse(JSON.parse(text)).data;
}

function get(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { accept: 'application/json', 'user-agent': 'Mozilla/5.0 (compatible; SRS Stack)' };
    const call = request(url, { headers, signal: AbortSignal.timeout(answerTimeoutMs), agent: false }, (response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > maxResponseBytes)
          call.destroy(new Error(`the response of the video site is larger than ${maxResponseBytes} bytes`));
        else chunks.push(chunk);
      });
      response.on('error', reject);
      response.on('end', () => {
        if (response.statusCode === 200) resolve(Buffer.concat(chunks).toString('utf8'));
        else reject(new Error(`the video site returned HTTP ${response.statusCode}`));
      });
    });
    call.on('error', reject);
    call.end();
  });
}
