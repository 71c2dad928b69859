// Measures the time from the click on "24 h" until Chromium has drawn the charts of a day. The time includes the response of the server.
//
//   node chart-render.ts --console http://127.0.0.1:28080/mgmt/en --secret API_SECRET --times 10
//
// The server needs a day of history (makeDayOfHistory). Prints WINDOW_START / WINDOW_END and "RESULT {json}".
import { parseArgs } from 'node:util';
import { chromium, type Page } from 'playwright-core';
import { loopbackUrl } from '../lib/loopback.ts';
import { quantiles } from '../lib/quantiles.ts';
import { printResult, printWindow } from '../lib/tool-output.ts';

const flags = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'];
/** Minimum number of points in a chart of a day. A shorter range has fewer points. */
const wholeDayPoints = 355;
const giveUpMs = 60_000;

const { values } = parseArgs({
  options: { console: { type: 'string' }, secret: { type: 'string' }, times: { type: 'string', default: '10' } },
});
if (!values.console || !values.secret) {
  console.error('--console http://127.0.0.1:port/mgmt/en --secret API_SECRET');
  process.exit(2);
}
const { console: consoleUrl, secret } = values;
loopbackUrl(consoleUrl);

/**
 * Clicks the label of a range. Resolves with the milliseconds until every chart shows this range and a frame was displayed.
 * Charts of viewers are excluded, because the server has no viewers.
 */
const timeClick = (label: string, isDay: boolean) => `new Promise((resolve, reject) => {
  setTimeout(() => reject(new Error('no chart of ${label} in time')), ${giveUpMs});
  const startedAt = performance.now();
  const shown = () => [...document.querySelectorAll('figure')].map(({ dataset }) => Number(dataset.points));
  const isDrawn = () => shown().every((points) => points === 0 || (points >= ${wholeDayPoints}) === ${isDay});
  const look = () => isDrawn()
    ? requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - startedAt)))
    : requestAnimationFrame(look);
  [...document.querySelectorAll('label')].find(({ textContent }) => textContent === '${label}').click();
  look();
})`;

async function openDashboard(page: Page): Promise<void> {
  const response = await fetch(new URL('/terraform/v1/mgmt/token', consoleUrl), {
    method: 'POST',
    headers: { Authorization: `Bearer ${secret}` },
  });
  const { data } = (await response.json()) as { data: object };
  await page.addInitScript(`localStorage.setItem('SRS_TERRAFORM_TOKEN', ${JSON.stringify(JSON.stringify(data))})`);
  await page.goto(`${consoleUrl}/routers-dashboard`);
  await page.locator('figure canvas').first().waitFor({ timeout: giveUpMs });
}

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: flags });
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await openDashboard(page);
  printWindow('START');
  const times: number[] = [];
  for (let count = 0; count < Number(values.times); count += 1) {
    times.push((await page.evaluate(timeClick('24 h', true))) as number);
    await page.evaluate(timeClick('5 min', false));
  }
  printWindow('END');
  printResult({ firstMs: times[0], drawMs: quantiles(times.slice(1)) });
} finally {
  await browser.close();
}
