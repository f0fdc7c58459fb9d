import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { paths } from '../contract/protocol.ts'
import { root } from './terminal.ts'

/**
 * Puts scripts of web/inline/ into the page itself, because loading them would delay the first paint. The CSP allows them by
 * their hashes: server/http/static-files.ts reads them from the page, and firebase.json contains that of theme.js.
 */
export function inlineScripts(...names: string[]): Plugin {
  const elements = names.map((name) => `<script>\n${readInlineScript(name)}</script>`)
  return {
    name: 'inline-scripts',
    transformIndexHtml: {
      order: 'pre',
      handler: (html) => html.replace('<!-- inline scripts -->', () => elements.join('\n')),
    },
  }
}

/** The script as it stands in the page, without comments. */
export function readInlineScript(name: string): string {
  return readFileSync(join(root, 'web/inline', name), 'utf8')
    .replace(/^\s*\/\/.*\n/gm, '')
    .replace('__LIST_PATH__', JSON.stringify(paths.books))
}
