import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { answerNothingHere } from './error-table.ts'
import { pageHeaders } from './headers.ts'

/**
 * The built page in a folder, and its `index.html` for every path that is the page's own route and not a file. Without
 * a built page, every such path is 404.
 */
export function installPage(app: FastifyInstance, folder: string | undefined): void {
  const isBuilt = folder !== undefined && existsSync(join(folder, 'index.html'))
  app.register(async (page) => {
    page.setNotFoundHandler((request, reply) => {
      if (isBuilt && isPageRoute(request.method, request.url)) return reply.sendFile('index.html')
      return answerNothingHere(reply)
    })
    if (!isBuilt) return
    // A path that leads out of the folder is an error to the static server; to everyone else there is nothing there.
    page.setErrorHandler((error, _request, reply) => {
      const { statusCode = 500 } = error as { statusCode?: number }
      if (statusCode >= 500) throw error
      return answerNothingHere(reply)
    })
    await page.register(fastifyStatic, {
      root: folder,
      preCompressed: true,
      dotfiles: 'ignore',
      cacheControl: false,
      allowedPath: (path) => !path.endsWith('.map'),
      setHeaders: (reply, path) => reply.headers(pageHeaders).header('cache-control', cachingOf(path)),
    })
  })
}

/** The build names a file under assets/ after its content. */
function cachingOf(path: string) {
  return /[\\/]assets[\\/]/.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache'
}

/** Whether a path may be a route of the page: it names neither a file nor anything of the API, in whatever spelling. */
function isPageRoute(method: string, url: string): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  const [path = ''] = url.split('?')
  const segments = path.split('/').filter(Boolean).map(decoded)
  return segments[0]?.toLowerCase() !== 'api' && segments.every((segment) => /^[^./\\\0]+$/.test(segment))
}

/** Once; nothing where it is malformed, as behind a `#`, where the framework does not look. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return ''
  }
}
