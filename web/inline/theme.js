// Runs before the first paint, so that the page never flashes in the wrong theme. See web/ui/theme-switch.tsx.
try {
  const theme = localStorage.getItem('theme') ?? 'system'
  document.documentElement.dataset.theme = theme
  for (const meta of document.querySelectorAll('meta[name=theme-color]')) {
    if (theme !== 'system') meta.media = meta.dataset.theme === theme ? 'all' : 'not all'
  }
} catch {
  // Without local storage, the page uses the theme of the system.
}
