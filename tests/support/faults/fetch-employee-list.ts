import { type BookList, paths } from '../../../contract/protocol.ts'

/** The whole list as a program reads it; rejects where it is refused. */
export async function fetchEmployeeList(url: string, cookie: string): Promise<BookList> {
  const response = await fetch(url + paths.books, { headers: { cookie } })
  if (response.status !== 200) throw new Error(`The list was answered ${response.status}.`)
  return (await response.json()) as BookList
}
