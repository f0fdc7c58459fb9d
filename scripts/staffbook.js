#!/usr/bin/env node
// `npx staffbook …` in a checkout is `npm run staffbook -- …`.
process.argv.splice(2, 0, 'staffbook')
await import('./run.js')
