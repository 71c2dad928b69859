// The media server console in English.
import { startMediaConsole } from './start.tsx';

await startMediaConsole('en');
