// Measures how fast the console appears and how smoothly its pages open in Chromium.
//
//   node console-pages.ts --console http://127.0.0.1:28080/mgmt/en --secret API_SECRET --times 5
//
// The login page is opened with a new profile each time and a quarter of the CPU. Measured: largest contentful paint,
// and compressed size of the scripts. Then each tab is opened once after login, without throttling. Measured: the
// longest task of the main thread. Prints WINDOW_START / WINDOW_END and "RESULT {json}".
import { parseArgs } from 'node:util';
import { type Browser, chromium, type Page } from 'playwright-core';
import { loopbackUrl } from '../lib/loopback.ts';
import { quantiles } from '../lib/quantiles.ts';
import { printResult, printWindow } from '../lib/tool-output.ts';

const cpuSlowdown = 4;
const flags = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'];
/** Measuring time after a page was opened, milliseconds. Tasks after this time come from polling and drawing. */
const restMs = 1_500;

const { values } = parseArgs({
  options: { console: { type: 'string' }, secret: { type: 'string' }, times: { type: 'string', default: '5' } },
});
if (!values.console || !values.secret) {
  console.error('--console http://127.0.0.1:port/mgmt/en --secret API_SECRET');
  process.exit(2);
}
const { console: consoleUrl, secret } = values;
loopbackUrl(consoleUrl);

/** The page code is a string: as code it would need DOM types, which this program does not have. */
const watchPaint = `globalThis.paints = [];
  new PerformanceObserver((list) => paints.push(...list.getEntries().map((entry) => entry.startTime)))
    .observe({ type: 'largest-contentful-paint', buffered: true });`;
const watchTasks = `globalThis.tasks = [];
  new PerformanceObserver((list) => tasks.push(...list.getEntries().map((entry) => entry.duration)))
    .observe({ type: 'longtask', buffered: true });`;

interface LoginFigures {
  readonly paintMs: number;
  readonly scriptBytes: number;
}

async function openLogin(browser: Browser): Promise<LoginFigures> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown });
  await session.send('Network.enable');
  const scripts = new Set<string>();
  let scriptBytes = 0;
  session.on('Network.requestWillBeSent', ({ requestId, type }) => type === 'Script' && scripts.add(requestId));
  // Counts bytes as transferred, without headers.
  session.on('Network.dataReceived', ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) scriptBytes += encodedDataLength;
  });
  await page.addInitScript(watchPaint);
  await page.goto(`${consoleUrl}/routers-login`);
  await page.locator('button[type=submit]').waitFor();
  await page.waitForTimeout(restMs);
  const paints = (await page.evaluate('paints')) as number[];
  await context.close();
  return { paintMs: Math.max(...paints), scriptBytes };
}

/** Opens each tab of the screen once. Resolves with the duration of the longest task for each tab, milliseconds. */
async function openTabs(page: Page, screen: string): Promise<Record<string, number>> {
  await page.goto(`${consoleUrl}/${screen}`);
  const tabs = page.getByRole('tab');
  await tabs.first().waitFor();
  const longest: Record<string, number> = {};
  for (let index = 0; index < (await tabs.count()); index += 1) {
    await page.waitForTimeout(restMs);
    await page.evaluate('tasks.length = 0');
    await tabs.nth(index).click();
    await page.waitForTimeout(restMs);
    const durations = (await page.evaluate('tasks')) as number[];
    longest[`${screen}: ${await tabs.nth(index).textContent()}`] = Math.max(0, ...durations);
  }
  return longest;
}

async function openConsole(browser: Browser): Promise<Page> {
  const response = await fetch(new URL('/terraform/v1/mgmt/token', consoleUrl), {
    method: 'POST',
    headers: { Authorization: `Bearer ${secret}` },
  });
  const { data } = (await response.json()) as { data: { token: string } };
  const page = await browser.newPage();
  await page.addInitScript(watchTasks);
  await page.addInitScript(`localStorage.setItem('SRS_TERRAFORM_TOKEN', ${JSON.stringify(JSON.stringify(data))})`);
  return page;
}

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: flags });
try {
  // The first visit is not counted, because it starts background services of the browser.
  await openLogin(browser);
  printWindow('START');
  const logins: LoginFigures[] = [];
  for (let count = 0; count < Number(values.times); count += 1) logins.push(await openLogin(browser));
  const page = await openConsole(browser);
  const tabs = { ...(await openTabs(page, 'routers-scenario')), ...(await openTabs(page, 'routers-settings')) };
  printWindow('END');
  printResult({
    paintMs: quantiles(logins.map(({ paintMs }) => paintMs)),
    scriptKb: Math.max(...logins.map(({ scriptBytes }) => scriptBytes)) / 1024,
    longestTaskMs: Math.max(...Object.values(tabs)),
    tabs,
  });
} finally {
  await browser.close();
}
