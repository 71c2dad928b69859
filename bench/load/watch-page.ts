// Time to first frame on the watch page, in Chromium with a quarter of the CPU.
//
//   node watch-page.ts --page http://127.0.0.1:28080/watch/live/x --publish 'rtmp://127.0.0.1:21935/live/x?secret=…' --times 9
//
// The time from the start of the navigation to the first presented frame is measured, with a new profile each time.
// FFmpeg publishes 640 × 360 at 30 fps with a keyframe every 2 s, and AAC. Prints WINDOW_START / WINDOW_END and "RESULT
// {json}".
import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Browser, chromium } from 'playwright-core';
import { loopbackUrl } from '../lib/loopback.ts';
import { quantiles } from '../lib/quantiles.ts';
import { printResult, printWindow } from '../lib/tool-output.ts';

const cpuSlowdown = 4;
const flags = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'];
/** Timeout until the stream is live, and polling interval, milliseconds. */
const liveTimeoutMs = 20_000;
const livePollMs = 200;
const pictureTimeoutMs = 20_000;

const { values } = parseArgs({
  options: { page: { type: 'string' }, publish: { type: 'string' }, times: { type: 'string', default: '9' } },
});
if (!values.page || !values.publish) {
  console.error('--page http://127.0.0.1:port/watch/live/x --publish rtmp://127.0.0.1:port/live/x?secret=…');
  process.exit(2);
}
const { page: watchPage, publish } = values;
loopbackUrl(watchPage);

/** The page code is a string: as code it would need DOM types, which this program does not have. */
const watchPicture = `globalThis.firstPictureMs = new Promise((resolve) => {
    new MutationObserver(() => {
      for (const video of document.querySelectorAll('video:not([data-seen])')) {
        video.dataset.seen = '1';
        video.requestVideoFrameCallback((now) => resolve(now));
      }
    }).observe(document, { childList: true, subtree: true });
  });`;

interface Visit {
  readonly pictureMs: number;
  readonly scriptMs: number;
  readonly way: string;
}

async function visit(browser: Browser): Promise<Visit> {
  const context = await browser.newContext();
  await context.grantPermissions(['camera', 'microphone']);
  context.setDefaultTimeout(pictureTimeoutMs);
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown });
  await page.addInitScript(watchPicture);
  await page.goto(watchPage, { waitUntil: 'commit' });
  const pictureMs = (await page.evaluate('firstPictureMs')) as number;
  const scriptMs = (await page.evaluate(
    'performance.getEntriesByType("navigation")[0].domContentLoadedEventStart',
  )) as number;
  const way = (await page.locator('.way option').first().textContent()) ?? '';
  await context.close();
  return { pictureMs, scriptMs, way };
}

async function untilLive(): Promise<void> {
  const giveUpAt = performance.now() + liveTimeoutMs;
  while (performance.now() < giveUpAt) {
    const { live } = (await (await fetch(`${watchPage.split('?')[0]}/info.json`)).json()) as { live: boolean | null };
    // Waits for one more keyframe, so that every visit finds a keyframe in the cache.
    if (live !== false) return delay(2_500);
    await delay(livePollMs);
  }
  throw new Error('the stream is not live');
}

const picture = '-re -f lavfi -i testsrc2=size=640x360:rate=30 -f lavfi -i sine=frequency=440:sample_rate=48000';
const encoder = '-c:v libx264 -preset ultrafast -tune zerolatency -pix_fmt yuv420p -g 60 -c:a aac -b:a 96k -f flv';
const publisher = spawn('ffmpeg', ['-v', 'error', ...picture.split(' '), ...encoder.split(' '), publish], {
  stdio: ['ignore', 'ignore', 'inherit'],
});
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: flags });
try {
  await untilLive();
  // The first visit is not counted, because it starts background services of the browser.
  await visit(browser);
  printWindow('START');
  const visits: Visit[] = [];
  for (let count = 0; count < Number(values.times); count += 1) visits.push(await visit(browser));
  printWindow('END');
  printResult({
    pictureMs: quantiles(visits.map(({ pictureMs }) => pictureMs)),
    scriptMs: quantiles(visits.map(({ scriptMs }) => scriptMs)),
    ways: [...new Set(visits.map(({ way }) => way))].join(', '),
  });
} finally {
  await browser.close();
  publisher.kill();
}
