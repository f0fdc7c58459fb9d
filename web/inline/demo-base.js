// The demo page may be in any folder of a host, which serves it at its routes too. A slash that the host has added is removed.
const path = location.pathname.replace(/index\.html$/, '').replace(/\/(form|signin)\/$/, '/$1')
history.replaceState(history.state, '', path + location.search + location.hash)
const base = document.createElement('base')
base.href = path.slice(0, path.lastIndexOf('/') + 1)
document.head.prepend(base)
