// Entry of `npm run secret`, which prints the API secret for scripts. The command requests the secret from the running server, with the
// admin password in `config/.env`. Users who can read this file have full access anyway.
import { fileURLToPath } from 'node:url';
import { endpoints } from '@srs-stack/contract';
import { logIn } from './control-plane-call.ts';
import { dataFolder, loadEnvironment } from './environment.ts';

const checkout = fileURLToPath(new URL('../../..', import.meta.url));
const dataDir = dataFolder(process.env, checkout);

try {
  const call = await logIn({ ...loadEnvironment(process.env, dataDir), DATA_DIR: dataDir });
  console.log(await call(endpoints.querySecret, {}));
} catch (error) {
  console.error(`The API secret cannot be read: ${(error as Error).message}.`);
  process.exit(1);
}
