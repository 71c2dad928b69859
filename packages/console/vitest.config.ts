import { consoleTests } from './console-tests.ts';

export default consoleTests({ name: 'console', isolate: false });
