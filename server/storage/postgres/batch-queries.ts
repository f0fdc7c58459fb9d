/**
 * What is asked for in one turn of the event loop is asked for together. `ask` gets all of it, and resolves with how to
 * answer each.
 */
export function batchQueries<Q, A>(runBatch: (questions: Q[]) => Promise<(question: Q) => A>) {
  let pendingBatch: { questions: Q[]; answers: Promise<(question: Q) => A> } | undefined

  function startBatch() {
    const queries: Q[] = []
    const answers = new Promise(setImmediate).then(() => {
      pendingBatch = undefined
      return runBatch(queries)
    })
    return { questions: queries, answers }
  }

  return async (query: Q): Promise<A> => {
    pendingBatch ??= startBatch()
    const { questions, answers } = pendingBatch
    questions.push(query)
    return (await answers)(query)
  }
}
