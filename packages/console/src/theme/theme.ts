// The console's theme for Mantine. `signal` marks controls, `broken` failures and destructive actions, `amber` warnings. `gray` and `dark`
// are the neutral colours of the light and dark theme. tokens.css defines all other tokens.
import {
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  type VariantColorsResolver,
} from '@mantine/core';
import { RevealIcon } from '../ui/reveal-icon.tsx';

const signal: MantineColorsTuple = [
  '#e5f6f3',
  '#cbece6',
  '#9adccf',
  '#65cbb9',
  '#4fd1bd',
  '#1f9e8d',
  '#0d8376',
  '#096b61',
  '#07554d',
  '#053f3a',
];
const broken: MantineColorsTuple = [
  '#fdecec',
  '#fad5d5',
  '#f5aaaa',
  '#f28080',
  '#ff6b6b',
  '#e5484d',
  '#cf2f36',
  '#b3262d',
  '#8f1f25',
  '#6c171c',
];
const amber: MantineColorsTuple = [
  '#fdf3e1',
  '#f9e4bd',
  '#f3ca7f',
  '#edb145',
  '#f0a92e',
  '#c9820f',
  '#a86a09',
  '#875407',
  '#684106',
  '#4c2f04',
];
const gray: MantineColorsTuple = [
  '#f6f5f2',
  '#efeeea',
  '#e4e2dc',
  '#d6d3cb',
  '#bfbbb1',
  '#918d83',
  '#66625a',
  '#4d4a44',
  '#35332f',
  '#1d1c1a',
];
const dark: MantineColorsTuple = [
  '#e4e9f0',
  '#bcc6d2',
  '#94a1b1',
  '#77869a',
  '#3a4655',
  '#28323e',
  '#171d25',
  '#0d1116',
  '#0a0d12',
  '#06080b',
];

/** System fonts: Latin first, then Chinese. No font is downloaded. */
const sans =
  'ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "PingFang SC", "Hiragino Sans GB", "Microsoft YaHei", "Noto Sans CJK SC", "Noto Sans SC", sans-serif';
const mono =
  'ui-monospace, "SF Mono", "Cascadia Mono", "JetBrains Mono", Menlo, Consolas, "Noto Sans Mono", "Noto Sans Mono CJK SC", monospace';

/** Filled elements are dark in the light theme and bright in the dark theme. tokens.css sets their text colour. */
const variantColorResolver: VariantColorsResolver = (input) => {
  const colors = defaultVariantColorsResolver(input);
  return input.variant === 'filled' ? { ...colors, color: 'var(--text-on-filled)' } : colors;
};

export const theme = createTheme({
  variantColorResolver,
  colors: { signal, broken, amber, gray, dark },
  black: '#14181d',
  primaryColor: 'signal',
  primaryShade: { light: 7, dark: 4 },
  fontFamily: sans,
  fontFamilyMonospace: mono,
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.9375rem', lg: '1.0625rem', xl: '1.25rem' },
  lineHeights: { xs: '1.35', sm: '1.45', md: '1.55', lg: '1.5', xl: '1.4' },
  headings: {
    fontWeight: '650',
    textWrap: 'balance',
    sizes: {
      h1: { fontSize: 'clamp(1.5rem, 1.2rem + 1.2vw, 2rem)', lineHeight: '1.2' },
      h2: { fontSize: '1.25rem', lineHeight: '1.3' },
      h3: { fontSize: '1.0625rem', lineHeight: '1.4' },
      h4: { fontSize: '0.9375rem', lineHeight: '1.45' },
    },
  },
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.5rem', xl: '2.25rem' },
  radius: { xs: '0.25rem', sm: '0.375rem', md: '0.625rem', lg: '0.875rem', xl: '1.25rem' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  focusRing: 'auto',
  components: {
    InputWrapper: {
      defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] },
      styles: {
        label: { marginBottom: '0.4rem' },
        description: { fontSize: '0.8125rem', lineHeight: 1.5, marginTop: '0.4rem' },
        error: { fontSize: '0.8125rem', marginTop: '0.4rem' },
      },
    },
    PasswordInput: { defaultProps: { visibilityToggleIcon: RevealIcon } },
    Button: { defaultProps: { fw: 600 } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray' } },
    Tooltip: { defaultProps: { withArrow: true, openDelay: 300, events: { hover: true, focus: true, touch: false } } },
    Anchor: { defaultProps: { underline: 'hover' } },
  },
});
