// Types for the used part of a library without types.
declare module 's3rver' {
  import type { Server } from 'node:http';
  export default class S3rver {
    constructor(options: {
      address: string;
      port: number;
      silent: boolean;
      directory: string;
      configureBuckets: readonly { name: string }[];
    });
    run(): Promise<{ address: string; port: number }>;
    close(): Promise<void>;
    readonly httpServer: Server;
  }
}
