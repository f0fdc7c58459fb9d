import { hash } from 'node:crypto'
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendNotFound } from './error-handler.ts'
import { createPageHeaders } from './security-headers.ts'

/** Serves the built page, and its `index.html` for every path that may be a route of the page. Without a build: 404. */
export function installStaticFiles(app: FastifyInstance, folder: string | undefined): void {
  const isBuilt = folder !== undefined && existsSync(join(folder, 'index.html'))
  const formLinks = isBuilt ? linksToFormChunk(folder) : []
  app.register(async (scope) => {
    const index = isBuilt ? createIndex(folder) : undefined
    scope.setNotFoundHandler((request, reply) => {
      if (!index || !isPageRoute(request)) return sendNotFound(reply)
      if (/^\/form(\?|$)/.test(request.url)) reply.header('link', formLinks)
      return index.send(reply)
    })
    if (!isBuilt || !index) return
    scope.get('/', (_request, reply) => index.send(reply))
    // The static server reports paths outside the folder as 403; respond like for any missing file.
    scope.setErrorHandler((error, request, reply) => {
      if (isPageRoute(request)) return index.send(reply.code(200))
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
      setHeaders: (reply, path) =>
        reply.headers(index.pageHeaders).header('cache-control', cacheControlFor(path)),
    })
  })
}

/** Sends `index.html` from memory: the page still opens if there is no file descriptor left. Notices a new build. */
function createIndex(folder: string) {
  const file = join(folder, 'index.html')
  const readModified = () => statSync(file, { throwIfNoEntry: false })?.mtimeMs
  const read = (suffix: string) => (existsSync(file + suffix) ? readFileSync(file + suffix) : undefined)
  const readAll = () => {
    const modified = readModified()
    const plain = readFileSync(file)
    return {
      modified,
      plain,
      br: read('.br'),
      gzip: read('.gz'),
      etag: `"${hash('sha256', plain, 'base64url')}"`,
      pageHeaders: createPageHeaders(findInlineScripts(plain.toString())),
    }
  }
  let index = readAll()

  function refresh() {
    // A stat needs no file descriptor.
    const modified = readModified()
    if (modified === undefined || modified === index.modified) return
    try {
      index = readAll()
    } catch {
      // Also while a build is replacing the files.
    }
  }

  return {
    get pageHeaders() {
      return index.pageHeaders
    },
    send(reply: FastifyReply) {
      refresh()
      const { etag, pageHeaders } = index
      reply.headers({ ...pageHeaders, 'cache-control': 'no-cache', etag, vary: 'accept-encoding' })
      if (reply.request.headers['if-none-match'] === etag) return reply.code(304).send()
      const accepted = reply.request.headers['accept-encoding'] ?? ''
      const encoding = (['br', 'gzip'] as const).find((name) => accepted.includes(name) && index[name])
      if (encoding) reply.header('content-encoding', encoding)
      return reply.type('text/html; charset=utf-8').send(encoding ? index[encoding] : index.plain)
    },
  }
}

function findInlineScripts(page: string): string[] {
  return Array.from(page.matchAll(/<script>(.*?)<\/script>/gs), ([, script = '']) => script)
}

/**
 * `Link` headers that make the browser load the chunk of /form together with the entry script. Without them the first
 * visit to /form takes one more round trip, because the entry script imports the chunk.
 */
function linksToFormChunk(folder: string): string[] {
  const chunks = globSync('assets/records-page-*.js', { cwd: folder })
  return chunks.map((chunk) => `</${chunk.replaceAll('\\', '/')}>; rel=modulepreload`)
}

/** File names in assets/ contain a content hash. */
function cacheControlFor(path: string) {
  return /[\\/]assets[\\/]/.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache'
}

/**
 * Whether a path may be a route of the page: it is not in the API, however spelled, and not a file. A name with a dot, such
 * as `/anna.smith`, is a route for browsers that navigate to it and a missing file (404) for other clients.
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

/** Malformed segments, hidden files, path traversal, and file types that are never served. */
function isForbiddenSegment(segment: string): boolean {
  return !/^[^./\\\0][^/\\\0]*$/.test(segment) || /\.(map|db|sqlite)\b/i.test(segment)
}

/** Decodes once. Returns '' if malformed, which Fastify does not check after a `#`. */
function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return ''
  }
}
