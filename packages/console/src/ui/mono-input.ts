const mono = { fontFamily: 'var(--mantine-font-family-monospace)', letterSpacing: 'var(--text-mono-spacing)' };

/** Monospaced style of a text field, for its `styles` property. */
export const monoInput = { input: { ...mono, fontSize: '0.875rem' } };
/** Monospaced style of a password field, for its `styles` property. */
export const monoSecret = { innerInput: { ...mono, fontSize: '0.875rem' } };
