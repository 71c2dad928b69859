// Supervises one fake server and nothing else; killed by a test to see what becomes of the server.
import { fileURLToPath } from 'node:url';
import { createSupervisor } from '../supervisor.ts';

createSupervisor({
  programs: [{ name: 'fake', main: fileURLToPath(new URL('fake-server.mjs', import.meta.url)) }],
  environment: () => ({}),
  onRestart: () => undefined,
  onRefused: () => undefined,
}).start();
