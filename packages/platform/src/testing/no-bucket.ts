// Object storage in the off state.
import { AppError } from '@srs-stack/contract';
import type { FileBucket } from '../files/media-library.ts';

export const noBucket: FileBucket = {
  own: () => undefined,
  recordings: () => undefined,
  offer: () => undefined,
  remove: async () => undefined,
  read: () => Promise.reject(new AppError('bucketFailed')),
};
