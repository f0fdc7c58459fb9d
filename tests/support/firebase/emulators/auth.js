// The official Auth emulator as a separate process, which exits with its parent. `createApp` is not a public API of
// firebase-tools, so the version is pinned exactly; the public command requires Java.
import emulator from 'firebase-tools/lib/emulator/auth/server.js'

const [project] = process.argv.slice(2)
process.on('disconnect', () => process.exit())
const app = await emulator.createApp(project)
const server = app.listen(0, '127.0.0.1', () => process.send?.(server.address().port))
