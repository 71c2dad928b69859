// Stores the selected colour scheme. public/color-scheme.js uses this storage key.
import { localStorageColorSchemeManager } from '@mantine/core';

export const colorSchemeManager = localStorageColorSchemeManager({ key: 'SRS_STACK_THEME' });
