type Methods = Record<PropertyKey, (...args: unknown[]) => Promise<unknown>>

/**
 * Returns a service whose code is loaded by the first call of any of its methods. `load` is called each time, so it must load
 * nothing twice; after a failure it can try again. A method is always the same function, as the hooks of React need it.
 */
export function lazyService<Service extends object>(load: () => Promise<Service>): Service {
  const methods: Methods = {}

  function getMethod(name: PropertyKey) {
    methods[name] ??= async (...args) => {
      const service = (await load()) as Methods
      return service[name]?.(...args)
    }
    return methods[name]
  }

  return new Proxy(methods, { get: (_, name) => getMethod(name) }) as Service
}
