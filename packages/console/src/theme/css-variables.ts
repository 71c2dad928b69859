// Sets variables of Mantine from the tokens in tokens.css.
import type { CSSVariablesResolver } from '@mantine/core';

const fromTokens = {
  '--mantine-color-body': 'var(--surface-page)',
  '--mantine-color-dimmed': 'var(--text-muted)',
  '--mantine-color-default': 'var(--surface-card)',
  '--mantine-color-default-hover': 'var(--surface-hover)',
  '--mantine-color-default-border': 'var(--line-strong)',
  '--mantine-color-anchor': 'var(--accent)',
  '--mantine-color-error': 'var(--broken)',
  '--mantine-primary-color-contrast': 'var(--text-on-filled)',
  '--mantine-color-gray-light': 'var(--surface-sunken)',
  '--mantine-color-gray-light-hover': 'var(--surface-hover)',
  ...coloured('signal', 'accent'),
  ...coloured('broken', 'broken'),
  ...coloured('amber', 'attention'),
};

function coloured(color: string, token: string): Record<string, string> {
  return {
    [`--mantine-color-${color}-outline`]: `var(--${token})`,
    [`--mantine-color-${color}-text`]: `var(--${token})`,
    [`--mantine-color-${color}-light-color`]: `var(--${token})`,
    [`--mantine-color-${color}-light`]: `var(--${token}-soft)`,
    [`--mantine-color-${color}-light-hover`]: `color-mix(in srgb, var(--${token}-soft), var(--${token}) 6%)`,
  };
}

export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: fromTokens,
  dark: fromTokens,
});
