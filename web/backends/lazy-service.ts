type Methods = Record<PropertyKey, (...args: unknown[]) => Promise<unknown>>

/**
 * Returns a service whose code is loaded by the first call of any of its methods. If that fails, the call rejects as `load`
 * does, and the next one tries again. A method is always the same function.
 */
export function lazyService<Service extends object>(load: () => Promise<Service>): Service {
  let loading: Promise<Service> | undefined

  function loadOnce() {
    loading ??= load().catch((error) => {
      loading = undefined
      throw error
    })
    return loading
  }

  const createMethod =
    (name: PropertyKey): Methods[string] =>
    async (...args) =>
      ((await loadOnce()) as Methods)[name]?.(...args)
  const methods: Methods = {}
  return new Proxy(methods, {
    get(_, name) {
      methods[name] ??= createMethod(name)
      return methods[name]
    },
  }) as Service
}
