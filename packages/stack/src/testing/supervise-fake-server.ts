// Supervises a fake server. A test kills this supervisor and checks that the server ends.
import { fileURLToPath } from 'node:url';
import { createSupervisor } from '../supervisor.ts';

createSupervisor({
  programs: [{ name: 'fake', main: fileURLToPath(new URL('fake-server.mjs', import.meta.url)) }],
  environment: () => ({}),
  onRestart: () => undefined,
  onRefused: () => undefined,
}).start();
