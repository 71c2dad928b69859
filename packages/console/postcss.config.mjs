// Mantine's CSS functions (rem, alpha, light-dark mixins) for CSS modules. Breakpoints are written out: 48em tablet, 62em desk.
export default { plugins: { 'postcss-preset-mantine': {} } };
