// Entry of the console: the styles, and the app once the pre-rendered login page is visible.
import './theme/styles.ts';
import { drawnLoginPainted } from './first-paint/drawn-login.ts';

await drawnLoginPainted();
await import('./start.tsx');
