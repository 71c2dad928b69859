export { type PlatformEnv, readEnv } from './env.ts';
export { openPlatform, type Platform, type PlatformOptions } from './platform.ts';
