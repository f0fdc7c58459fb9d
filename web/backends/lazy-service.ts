type Methods = Record<PropertyKey, (...args: unknown[]) => Promise<unknown>>

/** Returns a service whose code the first call loads. `load` is called each time, and must load once; its methods never change. */
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
