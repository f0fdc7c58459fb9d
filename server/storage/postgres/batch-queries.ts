/**
 * What is asked for in one turn of the event loop is asked for together. `ask` gets all of it, and resolves with how to
 * answer each.
 */
export function together<Q, A>(ask: (questions: Q[]) => Promise<(question: Q) => A>) {
  let next: { questions: Q[]; answers: Promise<(question: Q) => A> } | undefined

  function gather() {
    const questions: Q[] = []
    const answers = new Promise(setImmediate).then(() => {
      next = undefined
      return ask(questions)
    })
    return { questions, answers }
  }

  return async (question: Q): Promise<A> => {
    next ??= gather()
    const { questions, answers } = next
    questions.push(question)
    return (await answers)(question)
  }
}
