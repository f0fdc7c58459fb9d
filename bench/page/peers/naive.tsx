import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { makeRows, type Row } from './rows.ts'

/** The same row as elements, all of them in the page. */
function NaiveRow({ row, index }: { row: Row; index: number }) {
  const [shown, setShown] = useState(false)
  return (
    <tr>
      <td>{index + 1}</td>
      <th scope="row">{row.eName}</th>
      <td>
        {row.email} <button type="button">Copy</button>
      </td>
      <td>
        <input
          disabled
          type={shown ? 'text' : 'password'}
          defaultValue={row.password}
          aria-label="Password"
        />
        <button type="button">Copy</button>
        <button type="button" onClick={() => setShown(!shown)}>
          Show
        </button>
      </td>
      <td>
        <button type="button">Edit</button>
        <button type="button">Delete</button>
      </td>
    </tr>
  )
}

createRoot(document.getElementById('root') as HTMLElement).render(
  <table>
    <tbody>
      {makeRows().map((row, index) => (
        <NaiveRow key={row.id} row={row} index={index} />
      ))}
    </tbody>
  </table>,
)
