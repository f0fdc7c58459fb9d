import { type BookList, paths } from '../../../contract/protocol.ts'

/** Fetches all records. Rejects unless the status is 200. */
export async function fetchEmployeeList(url: string, cookie: string): Promise<BookList> {
  const response = await fetch(url + paths.books, { headers: { cookie } })
  if (response.status !== 200) throw new Error(`Fetching the list failed with status ${response.status}.`)
  return (await response.json()) as BookList
}
