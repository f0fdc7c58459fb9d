import { startTcpProxy, type TcpProxy } from '../tcp-proxy.ts'
import type { ProxyCommand } from './proxies.ts'

const proxies = new Map<number, TcpProxy>()

process.on('disconnect', () => process.exit())
process.on('message', async ({ action, port }: ProxyCommand) => {
  if (action !== 'open') {
    proxies.get(port)?.[action]()
    return process.send?.(port)
  }
  const proxy = await startTcpProxy(port)
  proxies.set(proxy.port, proxy)
  process.send?.(proxy.port)
})
