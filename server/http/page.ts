import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { answerNothingHere } from './error-table.ts'

/** The built page, and its `index.html` for every path that is the page's own route and not a file. */
export async function installPage(app: FastifyInstance, folder: string | undefined): Promise<void> {
  const isBuilt = folder !== undefined && existsSync(join(folder, 'index.html'))
  if (isBuilt) {
    await app.register(fastifyStatic, {
      root: folder,
      preCompressed: true,
      dotfiles: 'ignore',
      cacheControl: false,
      allowedPath: (path) => !path.endsWith('.map'),
      setHeaders: (reply, path) => reply.header('cache-control', cachingOf(path)),
    })
  }
  app.setNotFoundHandler((request, reply) => {
    if (isBuilt && isPageRoute(request.method, request.url)) return reply.sendFile('index.html')
    return answerNothingHere(reply)
  })
}

/** The build names a file under assets/ after its content. */
function cachingOf(path: string) {
  return /[\\/]assets[\\/]/.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache'
}

function isPageRoute(method: string, url: string): boolean {
  const [path = ''] = url.split('?')
  if (method !== 'GET' && method !== 'HEAD') return false
  return (
    !/^\/api(\/|$)/.test(path) && !path.slice(path.lastIndexOf('/')).includes('.') && !path.includes('..')
  )
}
