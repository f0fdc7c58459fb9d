import { createHash } from 'node:crypto'
import { root } from '../terminal.ts'
import { npm } from './npm.ts'

interface Component {
  'bom-ref': string
  /** The scope of a package's name. */
  group?: string
  name: string
}

interface Dependency {
  ref: string
  dependsOn?: string[]
}

/**
 * The software bill of materials (CycloneDX, JSON): the packages that the server runs on, and those whose code is in the
 * built page. The same lockfile and time always give the same text.
 */
export function createSbom(packages: string[], epoch: number): string {
  const sbom = JSON.parse(npm(['sbom', '--sbom-format=cyclonedx', '--package-lock-only'], root))
  const components = (sbom.components as Component[]).filter(({ group, name }) =>
    packages.includes(group ? `${group}/${name}` : name),
  )
  const refs = new Set([sbom.metadata.component['bom-ref'], ...components.map((one) => one['bom-ref'])])
  const dependencies = (sbom.dependencies as Dependency[])
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((one) => refs.has(one)) }))
  const timestamp = new Date(epoch * 1000).toISOString()
  // npm takes the name of the root from its folder.
  const component = { ...sbom.metadata.component, name: 'staffbook' }
  const content = { ...sbom, metadata: { ...sbom.metadata, component, timestamp }, components, dependencies }
  const hash = createHash('sha256')
    .update(JSON.stringify({ ...content, serialNumber: '' }))
    .digest('hex')
  const parts = [hash.slice(0, 8), hash.slice(8, 12), `8${hash.slice(13, 16)}`, `a${hash.slice(17, 20)}`]
  const serialNumber = `urn:uuid:${[...parts, hash.slice(20, 32)].join('-')}`
  return `${JSON.stringify({ ...content, serialNumber }, null, 2)}\n`
}
