// Runs before the first paint: the page never flashes in the wrong theme (see web/ui/theme-switch.tsx), and shell.html shows
// the outline of the screen that will come. What links open, behind a `#`, has none.
const root = document.documentElement
let user = null
try {
  user = localStorage.getItem('user')
  const theme = localStorage.getItem('theme') ?? 'system'
  root.dataset.theme = theme
  for (const meta of document.querySelectorAll('meta[name=theme-color]')) {
    if (theme !== 'system') meta.media = meta.dataset.theme === theme ? 'all' : 'not all'
  }
} catch {
  // Without local storage, the page uses the theme of the system.
}
if (location.hash === '') {
  const isForm = location.pathname === '/form' && user !== null
  root.dataset.screen = isForm ? 'form' : location.pathname === '/signin' ? 'signin' : 'signup'
}
