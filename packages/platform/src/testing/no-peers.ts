// A single server has no peers.
import { AppError } from '@srs-stack/contract';
import type { RecordPeers } from '../recording/listing/record-peers.ts';

export const noPeers: RecordPeers = {
  order: () => Promise.reject(new AppError('nodeAway')),
  read: () => Promise.reject(new AppError('nodeAway')),
};
