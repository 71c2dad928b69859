// Entry of the console. The app loads after the first paint of the pre-rendered login page.
import './theme/styles.ts';
import { drawnLoginPainted } from './first-paint/drawn-login.ts';

await drawnLoginPainted();
await import('./start.tsx');
