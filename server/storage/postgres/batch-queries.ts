/**
 * Collects the queries of one turn of the event loop and runs them as one. `runBatch` resolves with a function that
 * returns the result of each query.
 */
export function batchQueries<Q, R>(runBatch: (queries: Q[]) => Promise<(query: Q) => R>) {
  let pendingBatch: { queries: Q[]; results: Promise<(query: Q) => R> } | undefined

  function startBatch() {
    const queries: Q[] = []
    const results = new Promise(setImmediate).then(() => {
      pendingBatch = undefined
      return runBatch(queries)
    })
    return { queries, results }
  }

  return async (query: Q): Promise<R> => {
    pendingBatch ??= startBatch()
    const { queries, results } = pendingBatch
    queries.push(query)
    return (await results)(query)
  }
}
