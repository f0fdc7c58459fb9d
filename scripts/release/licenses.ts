import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../terminal.ts'

/** The packages whose code is in the built page, from the build's list. */
export function findPagePackages(): string[] {
  const bundled = readFileSync(join(root, 'dist/.vite/license.md'), 'utf8').matchAll(/^## (\S+) - /gm)
  return [...new Set(Array.from(bundled, ([, name = '']) => name))].sort()
}

/** The names of the packages in a release. */
export const listPackages = (folder: string) =>
  findPackages(join(folder, 'node_modules')).map(
    (path): string => JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')).name,
  )

/** The licenses of everything in a release: its packages, those in the page, the icons and the list of common passwords. */
export function collectLicenses(folder: string, pagePackages: string[]): string {
  const server = findPackages(join(folder, 'node_modules'))
  const others = [...pagePackages, '@zxcvbn-ts/language-common'].map((name) =>
    join(root, 'node_modules', name),
  )
  const icons = `Icons of Lucide\n\n${readFileSync(join(root, 'web/ui/icons/LICENSE'), 'utf8').trim()}\n`
  const texts = [...[...server, ...others].map(describeLicense), icons].sort()
  return [...new Set(texts)].join(`\n${'-'.repeat(72)}\n\n`)
}

function findPackages(folder: string): string[] {
  const nested = globSync('**/node_modules', { cwd: folder }).map((path) => join(folder, path))
  return [folder, ...nested].flatMap((modules) =>
    globSync(['*/package.json', '@*/*/package.json'], { cwd: modules }).map((file) =>
      join(modules, file, '..'),
    ),
  )
}

function describeLicense(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const files = globSync('{LICEN[SC]E,licen[sc]e,NOTICE,COPYING}*', { cwd: folder }).sort()
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim())
  return `${[`${name} ${version} (${license})`, ...texts].join('\n\n')}\n`
}
