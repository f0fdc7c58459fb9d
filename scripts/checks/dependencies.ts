import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../terminal.ts'
import { findSourceFiles } from './imports.ts'

/**
 * Finds versions that are not exact or differ from the lockfile, and lockfiles that lack a platform's package or contain
 * the host of a registry.
 */
export function findLooseDependencies(): string[] {
  return findSourceFiles(
    '{package.json,*/package.json,*/*/package.json,tests/support/firebase/emulators/package.json}',
  ).flatMap((file) => {
    const declared = readJson(file)
    const ownLockfile = file.replace('package.json', 'package-lock.json')
    // A workspace is locked by the root.
    const lockfile = existsSync(join(root, ownLockfile)) ? ownLockfile : 'package-lock.json'
    const locked = readJson(lockfile)
    const declaredVersions = {
      ...declared.dependencies,
      ...declared.devDependencies,
      ...declared.optionalDependencies,
    }
    const loose = Object.entries<string>(declaredVersions).flatMap(([name, version]) => {
      if (!/^\d+\.\d+\.\d+/.test(version)) return [`${file}: ${name} is "${version}"; use an exact version`]
      const installed = locked.packages[`node_modules/${name}`]?.version
      return installed === version
        ? []
        : [`${lockfile} has ${name} ${installed}, ${file} requires ${version}: run npm install`]
    })
    const hosts = JSON.stringify(locked).includes('"resolved":"http')
      ? [`${lockfile} contains the host of a registry: remove its "resolved" URLs`]
      : []
    const missing = findMissingPlatformPackages(locked).map(
      (name) => `${lockfile} lacks ${name}: choose a version that has it`,
    )
    return [...loose, ...missing, ...hosts]
  })
}

const platformPattern = /\b(?:darwin|linux|win32)-(?:x64|arm64)\b/

/** npm leaves a package for one platform out of the lockfile, without an error, if the registry does not have it. */
function findMissingPlatformPackages({ packages }: { packages: Record<string, LockedPackage> }): string[] {
  return Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => platformPattern.test(name))
      .filter((name) => !packages[`${path}/node_modules/${name}`] && !packages[`node_modules/${name}`]),
  )
}

interface LockedPackage {
  optionalDependencies?: Record<string, string>
}

// biome-ignore lint/suspicious/noExplicitAny: files of npm, of which a few fields are read
function readJson(file: string): any {
  return JSON.parse(readFileSync(join(root, file), 'utf8'))
}
