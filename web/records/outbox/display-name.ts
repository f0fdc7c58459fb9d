/** What a record is called on the page: a name of nothing but spaces could be neither seen nor heard. */
export function displayName(eName: string): string {
  return eName.trim() ? eName : '(no name)'
}
