export interface Row {
  id: number
  eName: string
  email: string
  password: string
}

/** As many rows as the address says. */
export function makeRows(): Row[] {
  const count = Number(new URLSearchParams(location.search).get('rows'))
  return Array.from({ length: count }, (_, id) => ({
    id,
    eName: `Person ${id}`,
    email: `person.${id}@example.com`,
    password: `secret-${id}`,
  }))
}
