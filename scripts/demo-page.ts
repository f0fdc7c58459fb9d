import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { root } from './terminal.ts'

/** The routes of the page, which a static host serves as folders. */
const routes = ['signin', 'form']

/** A static host shows it at any other path. It goes up until there is a page. */
const goUp = `location.replace(location.pathname.endsWith('/') ? '../' : './')`

/**
 * Makes the demo page: static files for any folder of any host. Its backend is in memory, and session storage, which ends with the
 * tab, takes the place of local storage; it has no IndexedDB, manifest or service worker.
 */
export const demoPage: Plugin = {
  name: 'demo-page',
  config: () => ({ define: { localStorage: 'sessionStorage', 'globalThis.indexedDB': 'undefined' } }),
  transformIndexHtml: {
    order: 'pre',
    handler: (html) =>
      html.replace('./main.tsx', './demo/main.tsx').replace(/\s*<link rel="manifest"[^>]*>/, ''),
  },
  writeBundle({ dir = '' }) {
    const index = join(dir, 'index.html')
    writeFileSync(index, finishPage(readFileSync(index, 'utf8')))
    for (const route of routes) {
      mkdirSync(join(dir, route), { recursive: true })
      copyFileSync(index, join(dir, route, 'index.html'))
    }
    writeFileSync(join(dir, '404.html'), createNotFoundPage())
    for (const unused of ['manifest.webmanifest', 'emergency.html'])
      rmSync(join(dir, unused), { force: true })
  },
}

/** Puts the base and the policy in front of what they apply to. */
function finishPage(html: string): string {
  const base = `<script>\n${readFileSync(join(root, 'web/inline/demo-base.js'), 'utf8').replace(/^\/\/.*\n/gm, '')}</script>`
  const page = html
    .replaceAll('localStorage', 'sessionStorage')
    .replaceAll(
      'location.pathname ===',
      'location.href.slice(document.baseURI.length - 1).split(/[?#]/)[0] ===',
    )
    .replaceAll(/(?<=<meta name="(catalogs|screens)" content=")[^"]*/g, (list) =>
      list.replaceAll(/(?<=^| )\//g, ''),
    )
  const [start = '', charset = '', rest = ''] = page.split(/(<meta charset="utf-8" \/>)/)
  const withBase = `${start}${charset}\n    ${base}${rest}`
  return withBase.replace(charset, `${charset}\n    ${createPolicy(withBase)}`)
}

/** What server/http/security-headers.ts sends, for a page that connects to nothing. A page cannot forbid that others frame it. */
function createPolicy(html: string): string {
  const directives = [
    "default-src 'none'",
    `script-src 'self' ${hashElements(html, 'script')}`,
    `style-src 'self' ${hashElements(html, 'style')}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'none'",
    "worker-src 'self'",
    "base-uri 'self'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types import-worker',
  ]
  return `<meta http-equiv="Content-Security-Policy" content="${directives.join('; ')}" />`
}

const hashElements = (html: string, name: 'script' | 'style') =>
  Array.from(
    html.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, 'gs')),
    ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
  ).join(' ')

function createNotFoundPage(): string {
  const script = `<script>${goUp}</script>`
  const policy = `default-src 'none'; script-src ${hashElements(script, 'script')}`
  return [
    '<!doctype html>',
    '<meta charset="utf-8" />',
    `<meta http-equiv="Content-Security-Policy" content="${policy}" />`,
    '<title>Staffbook</title>',
    script,
    '',
  ].join('\n')
}
