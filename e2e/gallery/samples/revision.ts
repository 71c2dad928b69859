/** Of settings that two operators may save at once. */
export const revision = 'c41f8e20';
