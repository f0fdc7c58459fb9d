import { hash } from 'node:crypto'
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { changePasswordHash } from '../../contract/protocol.ts'
import { addressNotFoundError, sendError } from './error-handler.ts'
import { chooseEncoding, encodingHeaders, matchesEtag } from './negotiation.ts'
import { createPageHeaders } from './security-headers.ts'

/**
 * Serves the built page, and its `index.html` for every path that may be a route of the page. Without a build: 404.
 * `policy`: what the page must know before it paints, in words of a header.
 */
export function installStaticFiles(
  app: FastifyInstance,
  folder: string | undefined,
  policy: readonly string[] = [],
): void {
  const hasBuild = folder !== undefined && existsSync(join(folder, indexName))
  const getLatestBuild = hasBuild ? openBuild(folder) : undefined
  app.register(async (scope) => {
    scope.setNotFoundHandler((request, reply) => {
      const isRead = request.method === 'GET' || request.method === 'HEAD'
      if (isRead && request.url === changePasswordAddress) return reply.redirect(`/form${changePasswordHash}`)
      const path = isRead ? decodePath(request.url) : undefined
      if (!getLatestBuild || path === undefined) return sendError(reply, addressNotFoundError)
      const { files, pageHeaders } = getLatestBuild()
      const file = files.get(path)
      if (file) return sendFile(reply, file, pageHeaders)
      const index = files.get(indexName)
      if (!index || !isPageRoute(path, request)) return sendError(reply, addressNotFoundError)
      if (policy.length === 0) return sendFile(reply, index, pageHeaders)
      // With a 304, browsers keep the headers of the page that they have stored.
      const etag = index.etag.replace(/"$/, `-${policy.join('-')}"`)
      // For web/inline/first-paint.js. Not in the page itself: the service worker knows its hash.
      return sendFile(reply, { ...index, etag }, { ...pageHeaders, 'server-timing': policy.join(', ') })
    })
  })
}

const indexName = 'index.html'

/** Password managers open it: https://w3c.github.io/webappsec-change-password-url/ */
const changePasswordAddress = '/.well-known/change-password'

interface BuiltFile {
  type: string
  cacheControl: string
  etag: string
  identity: Buffer
  br: Buffer | undefined
  gzip: Buffer | undefined
}

/**
 * Holds the built files in memory: they have 2 MB, and the page opens also if there is no file descriptor left. Returns a
 * function that returns the latest build.
 */
function openBuild(folder: string) {
  const modifiedOf = (name: string) => statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs
  // The build compresses the index last.
  const readStamp = () => `${modifiedOf(indexName)} ${modifiedOf(`${indexName}.br`)}`
  let stamp = readStamp()
  let latest = readBuild(folder)
  return () => {
    // A stat needs no file descriptor.
    const newStamp = readStamp()
    if (newStamp === stamp) return latest
    try {
      latest = readBuild(folder)
      stamp = newStamp
    } catch {
      // This also happens while a build replaces the files.
    }
    return latest
  }
}

function readBuild(folder: string) {
  const names = globSync('**/*.*', { cwd: folder })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => !name.split('/').some(isForbiddenSegment) && !/\.(br|gz)$/.test(name))
  const files = new Map(names.map((name) => [name, readFile(folder, name)]))
  return {
    files,
    pageHeaders: createPageHeaders(String(files.get(indexName)?.identity)),
  }
}

function readFile(folder: string, name: string): BuiltFile {
  const path = join(folder, name)
  const readIfPresent = (file: string) => (existsSync(file) ? readFileSync(file) : undefined)
  const plain = readFileSync(path)
  return {
    type: contentTypes[extname(name)] ?? 'application/octet-stream',
    // File names in assets/ contain a content hash.
    cacheControl: name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    etag: `"${hash('sha256', plain, 'base64url')}"`,
    identity: plain,
    br: readIfPresent(`${path}.br`),
    gzip: readIfPresent(`${path}.gz`),
  }
}

const contentTypes: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
}

function sendFile(reply: FastifyReply, file: BuiltFile, pageHeaders: Record<string, string>): FastifyReply {
  const { type, cacheControl, etag } = file
  const { request } = reply
  reply
    .code(200)
    .headers({ ...pageHeaders, 'cache-control': cacheControl, etag, ...encodingHeaders.identity })
  if (matchesEtag(request, etag)) return reply.code(304).send()
  const encoding = chooseEncoding(
    request,
    (['br', 'gzip'] as const).filter((name) => file[name]),
  )
  return reply.type(type).headers(encodingHeaders[encoding]).send(file[encoding])
}

/**
 * Whether a path may be a route of the page: it is not in the API or a probe, however spelled, and not a file. A name with a dot, such
 * as `/anna.smith`, is a route for browsers that navigate to it and a missing file (404) for other clients.
 */
function isPageRoute(path: string, { headers }: FastifyRequest): boolean {
  const [firstSegment = ''] = path.split('/')
  if (/^(api|healthz|readyz)$/i.test(firstSegment) || firstSegment === 'assets') return false
  return !path.includes('.') || (headers.accept?.includes('text/html') ?? false)
}

/** The decoded path without empty segments; undefined if one is malformed or forbidden. */
function decodePath(url: string): string | undefined {
  const [path = ''] = url.split('?')
  const segments = path.split('/').filter(Boolean).map(decodeSegment)
  return segments.some(isForbiddenSegment) ? undefined : segments.join('/')
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
