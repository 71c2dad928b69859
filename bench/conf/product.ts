// Command, data folder and secrets with which the bench starts this product.
import { fileURLToPath } from 'node:url';
import { ports } from './ports.ts';

export const checkout = fileURLToPath(new URL('../..', import.meta.url));
export const adminPassword = 'bench-password';
export const publishSecret = 'bench';
export const apiSecret = 'bench-api-secret';
export const httpUrl = `http://127.0.0.1:${ports.http}`;

const ofStack = (file: string): string => fileURLToPath(new URL(`../../packages/stack/src/${file}`, import.meta.url));

/** The command of `npm start`, run with the Node version of the bench. */
export const productCommand = { command: process.execPath, args: [ofStack('start.mjs'), ofStack('main.ts')] } as const;

/** Environment of the product: loopback ports and API secret of the bench, only warnings in the log, no console build. */
export function productEnvironment(dataDir: string): Record<string, string> {
  const listen = (port: number): string => `127.0.0.1:${port}`;
  return {
    DATA_DIR: dataDir,
    MGMT_LISTEN: listen(ports.http),
    HTTPS_LISTEN: listen(0),
    RTMP_LISTEN: listen(ports.rtmp),
    RTSP_LISTEN: listen(ports.rtsp),
    SRT_LISTEN: listen(ports.srt),
    RTC_LISTEN: listen(ports.rtc),
    SRS_API_LISTEN: listen(ports.srsApi),
    CANDIDATE: '127.0.0.1',
    SRS_PLATFORM_SECRET: apiSecret,
    LOG_LEVEL: 'warn',
    LOG_FORMAT: 'json',
    NODE_ENV: 'production',
    // The console is built before the run: a build during a measurement would change the results.
    CONSOLE_BUILD: 'off',
  };
}
