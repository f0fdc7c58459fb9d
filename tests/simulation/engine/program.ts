import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from '../../../scripts/terminal.ts'

/** Code of the product that can run several times in one process, each time with other globals and modules. */
export interface Program {
  /** Runs the modules, and returns what the entry exports. */
  start<Exports>(globals: Record<string, unknown>, modules?: Record<string, unknown>): Exports
}

const requirePackage = createRequire(pathToFileURL(join(root, 'package.json')))

type Execute = (...globals: unknown[]) => void

/**
 * Makes a program of a script: a function, whose parameters are the globals, so that each start of it has its own, and the product's
 * code needs no change. It is compiled once for each list of globals, which is one.
 */
export function createProgram(code: string): Program {
  let compiled: { names: string; execute: Execute } | undefined
  return {
    start<Exports>(globals: Record<string, unknown>, modules: Record<string, unknown> = {}) {
      const names = Object.keys(globals).join()
      if (compiled?.names !== names)
        compiled = { names, execute: new Function('require', 'exports', 'module', names, code) as Execute }
      const module = { exports: {} }
      const require = (name: string) => modules[name] ?? requirePackage(name)
      compiled.execute(require, module.exports, module, ...Object.values(globals))
      return module.exports as Exports
    },
  }
}
