import { createProgram, type Program } from '../engine/program.ts'
import type { ServerPrograms } from '../server/server.ts'

/** The scripts of the product. */
export interface Scripts {
  app: string
  writer: string
  page: string
  indexedDb: string
}

export interface Programs {
  server: ServerPrograms
  page: Program
  /** A later build of the page, with another version of its database. */
  newerPage: Program
  indexedDb: Program
}

const openDatabase = 'async function open(databaseName, name, version)'

/** Compiles the product once for all simulations of a thread. */
export function createPrograms({ app, writer, page, indexedDb }: Scripts): Programs {
  if (!page.includes(openDatabase)) throw new Error(`The page has no ${openDatabase}.`)
  return {
    server: { app: createProgram(app), writer: createProgram(writer) },
    page: createProgram(page),
    newerPage: createProgram(page.replace(openDatabase, (code) => code.replace('version)', 'version = 2)'))),
    indexedDb: createProgram(indexedDb),
  }
}
