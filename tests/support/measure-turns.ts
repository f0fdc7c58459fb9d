/** Measures the CPU time of the longest turn of the event loop in ms: unlike wall time, it ignores other processes. */
export function measureTurns() {
  const cpuMs = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  }
  let longest = 0
  let last = cpuMs()
  const record = () => {
    longest = Math.max(longest, cpuMs() - last)
    last = cpuMs()
  }
  let timer = setImmediate(function next() {
    record()
    timer = setImmediate(next)
  })
  return {
    stop() {
      clearImmediate(timer)
      record()
      return longest
    },
  }
}
