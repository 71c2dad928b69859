// The media server console in Chinese.
import { startMediaConsole } from './start.tsx';

await startMediaConsole('zh');
