// Asks the video site for the facts of one video. One address, no redirect, a bounded time and a bounded answer.
import { request } from 'node:https';
import { z } from 'zod';

const site = 'https://api.bilibili.com/x/web-interface/view';
/** Longest wait for the whole answer, milliseconds. */
const answerTimeoutMs = 4_000;
/** Answers are about 10 KB, bytes. */
const maxAnswerBytes = 512 * 1024;

const answer = z.object({ code: z.literal(0), data: z.unknown() });

/** Resolves with the `data` object; rejects when the site does not answer in time, or knows no such video. */
export async function askBilibili(bvid: string): Promise<unknown> {
  const text = await get(`${site}?bvid=${encodeURIComponent(bvid)}`);
  return answer.parse(JSON.parse(text)).data;
}

function get(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { accept: 'application/json', 'user-agent': 'Mozilla/5.0 (compatible; SRS Stack)' };
    const call = request(url, { headers, signal: AbortSignal.timeout(answerTimeoutMs), agent: false }, (response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > maxAnswerBytes) call.destroy(new Error(`the answer is larger than ${maxAnswerBytes} bytes`));
        else chunks.push(chunk);
      });
      response.on('error', reject);
      response.on('end', () => {
        if (response.statusCode === 200) resolve(Buffer.concat(chunks).toString('utf8'));
        else reject(new Error(`the video site answered ${response.statusCode}`));
      });
    });
    call.on('error', reject);
    call.end();
  });
}
