import { existsSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join } from 'node:path'
import { listenLocally } from '../listen.ts'

const types: Record<string, string> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
}

/** Serves a folder under a path as static hosts do: folders with a slash, and 404.html for what is not there. */
export async function startStaticHost(folder: string, path: string) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const file = join(folder, pathname.slice(path.length))
    const isInside = pathname.startsWith(path)
    if (isInside && existsSync(file) && statSync(file).isDirectory() && !pathname.endsWith('/'))
      return response.writeHead(301, { location: `${pathname}/` }).end()
    const found = pathname.endsWith('/') ? join(file, 'index.html') : file
    const isThere = isInside && existsSync(found)
    const sent = isThere ? found : join(folder, '404.html')
    response.writeHead(isThere ? 200 : 404, { 'content-type': types[extname(sent)] ?? 'text/plain' })
    response.end(readFileSync(sent))
  })
  const port = await listenLocally(server)
  return {
    url: `http://127.0.0.1:${port}${path}`,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
