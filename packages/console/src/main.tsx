// Entry of the console: the styles, and as soon as the drawn login page is on the screen, the app.
import './theme/styles.ts';
import { drawnLoginPainted } from './first-paint/drawn-login.ts';

await drawnLoginPainted();
await import('./start.tsx');
