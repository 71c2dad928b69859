/** Revision of settings that two operators may save simultaneously. */
export const revision = 'c41f8e20';
