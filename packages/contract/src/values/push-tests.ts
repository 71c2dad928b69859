// Tests of push targets: what is sent, the steps, and their states.

/** `nothing`: connect only. `publish`: also request publishing, which checks the key. `media`: also send two seconds of black video. */
export const targetTestSends = ['nothing', 'publish', 'media'] as const;

/** In order of execution. `codec`: whether the target supports the video codec of the source stream. */
export const targetTestSteps = ['name', 'port', 'tls', 'connect', 'publish', 'media', 'codec'] as const;

/** `skipped`: an earlier step failed, or there is no stream to compare with. */
export const targetTestStates = ['pending', 'passed', 'failed', 'skipped'] as const;
