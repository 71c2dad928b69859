export { BootError } from './boot-error.ts';
export { type PlatformEnv, readEnv } from './env.ts';
export { type ListenAddress, parsePlatformListen } from './listen-address.ts';
export { openPlatform, type Platform, type PlatformOptions } from './platform.ts';
