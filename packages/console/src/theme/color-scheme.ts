// Light, dark or the system's choice, remembered per browser. Same key as public/color-scheme.js.
import { localStorageColorSchemeManager } from '@mantine/core';

export const colorSchemeManager = localStorageColorSchemeManager({ key: 'SRS_STACK_THEME' });
