import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sendNotFound } from './error-handler.ts'
import { pageHeaders } from './security-headers.ts'

/**
 * The built page in a folder, and its `index.html` for every path that may be the page's own route. Without a built page,
 * every such path is 404.
 */
export function installStaticFiles(app: FastifyInstance, folder: string | undefined): void {
  const isBuilt = folder !== undefined && existsSync(join(folder, 'index.html'))
  app.register(async (scope) => {
    scope.setNotFoundHandler((request, reply) => {
      if (isBuilt && isPageRoute(request)) return reply.sendFile('index.html')
      return sendNotFound(reply)
    })
    if (!isBuilt) return
    // A path that leads out of the folder is an error to the static server; to everyone else there is nothing there.
    scope.setErrorHandler((error, _request, reply) => {
      const { statusCode = 500 } = error as { statusCode?: number }
      if (statusCode >= 500) throw error
      return sendNotFound(reply)
    })
    await scope.register(fastifyStatic, {
      root: folder,
      preCompressed: true,
      dotfiles: 'ignore',
      cacheControl: false,
      allowedPath: (path) => !path.endsWith('.map'),
      setHeaders: (reply, path) => reply.headers(pageHeaders).header('cache-control', cacheControlFor(path)),
    })
  })
}

/** The build names a file under assets/ after its content. */
function cacheControlFor(path: string) {
  return /[\\/]assets[\\/]/.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache'
}

/**
 * Whether a path may be a route of the page: it names nothing of the API, in whatever spelling, and no file. Whoever goes
 * to `/anna.smith` or `/login.html` in a browser gets the page, which leads on; a program that asks for a file that is
 * not there is told so.
 */
function isPageRoute({ method, url, headers }: FastifyRequest): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  const [path = ''] = url.split('?')
  const segments = path.split('/').filter(Boolean).map(decodeSegment)
  const [firstSegment = ''] = segments
  if (firstSegment.toLowerCase() === 'api' || firstSegment === 'assets') return false
  const wantsPage = headers.accept?.includes('text/html') ?? false
  return segments.every((segment) => !isForbiddenSegment(segment) && (wantsPage || !segment.includes('.')))
}

/** What is malformed, leads elsewhere, or is of a kind that is never served. */
function isForbiddenSegment(segment: string): boolean {
  return !/^[^./\\\0][^/\\\0]*$/.test(segment) || /\.(map|db|sqlite)\b/i.test(segment)
}

/** Once; nothing where it is malformed, as behind a `#`, where the framework does not look. */
function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return ''
  }
}
