// The pool without the rest of the library (fetch, caches, WebSocket): 12 MB and 35 ms less.
declare module 'undici/lib/dispatcher/pool.js' {
  import { Pool } from 'undici';
  export default Pool;
}
