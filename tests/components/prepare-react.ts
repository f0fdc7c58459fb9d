// Makes React's development build take less processor time. Imported before React.

// With these React reports each rendered component to the performance panel of the browser.
for (const name of ['timeStamp', 'createTask']) Reflect.deleteProperty(console, name)
const { default: React } = await import('react')

// React captures the call stacks of 10,000 elements a second, which takes a quarter of the processor time: report them as done.
const internals = React['__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE' as never]
// Configurable, because a test that imports this file can evaluate it again.
const count = { configurable: true, get: () => 10_000, set() {} }
Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', count)
