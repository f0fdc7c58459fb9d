import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DatabaseSync } from 'node:sqlite'

// A minimal server that reads every record and builds the list before it listens.
const [databaseFile = ''] = process.argv.slice(2)
const database = new DatabaseSync(databaseFile)
const rows = database
  .prepare('SELECT id, eName, email, password FROM books WHERE NOT removed ORDER BY seq')
  .all()
const list = Buffer.from(JSON.stringify(rows))
database.close()
const server = createServer((_request, response) => response.end(String(list.length)))
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
process.once('SIGTERM', () => process.exit(0))
