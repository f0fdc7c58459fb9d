// Firebase Hosting's static server with the rewrites and headers of a firebase.json, as a separate process.
import superstatic from 'superstatic'

const [folder, config] = process.argv.slice(2)
process.on('disconnect', () => process.exit())
const app = superstatic.server({
  port: 0,
  hostname: '127.0.0.1',
  cwd: folder,
  config: { ...JSON.parse(config), public: '.' },
})
const server = app.listen(() => process.send?.(server.address().port))
