// The selected colour scheme (light, dark or system), stored per browser. Same key as public/color-scheme.js.
import { localStorageColorSchemeManager } from '@mantine/core';

export const colorSchemeManager = localStorageColorSchemeManager({ key: 'SRS_STACK_THEME' });
