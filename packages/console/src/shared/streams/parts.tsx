// Short values in a row that wraps only between values.

export function Parts({ values, none = '' }: { values: readonly string[]; none?: string }) {
  const present = values.filter((value) => value !== '');
  if (present.length === 0) return none;
  return present.map((value, index) => (
    <span key={value}>
      {index > 0 && ' · '}
      <span style={{ whiteSpace: 'nowrap' }}>{value}</span>
    </span>
  ));
}
