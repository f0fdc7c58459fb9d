import { DataGrid } from '@mui/x-data-grid'
import { createRoot } from 'react-dom/client'
import { makeRows } from './rows.ts'

const columns = [
  { field: 'id', headerName: '#' },
  { field: 'eName', headerName: 'Employee Name', flex: 1 },
  { field: 'email', headerName: 'Email', flex: 1 },
  { field: 'password', headerName: 'Password', flex: 1 },
]

// The free edition shows 100 rows a page at most.
createRoot(document.getElementById('root') as HTMLElement).render(
  <div style={{ height: '100vh' }}>
    <DataGrid
      rows={makeRows()}
      columns={columns}
      initialState={{ pagination: { paginationModel: { pageSize: 100 } } }}
    />
  </div>,
)
