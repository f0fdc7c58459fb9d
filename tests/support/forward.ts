/** An object with the properties of another, which may not be there yet. */
export const forward = <T extends object>(find: () => T): T =>
  new Proxy({} as T, { get: (_, name) => Reflect.get(find(), name) })
