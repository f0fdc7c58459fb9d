import { configureStore, createAsyncThunk, createSlice } from '@reduxjs/toolkit'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Provider, useDispatch, useSelector } from 'react-redux'
import { BrowserRouter, Link, Navigate, Route, Routes, useNavigate } from 'react-router'

// What any page of this kind loads before it does anything: the libraries, a slice, a thunk, three empty routes.

interface State {
  book: string[]
  loading: boolean
  error: string | null
}

const initialState: State = { book: [], loading: false, error: null }
const fetchBooks = createAsyncThunk(
  'book/fetch',
  async () => (await fetch('/list')).json() as Promise<string[]>,
)
const slice = createSlice({
  name: 'book',
  initialState,
  reducers: {},
  extraReducers: (builder) =>
    builder
      .addCase(fetchBooks.pending, (state) => {
        state.loading = true
        state.error = null
      })
      .addCase(fetchBooks.fulfilled, (state, { payload }) => {
        state.loading = false
        state.book = payload
      })
      .addCase(fetchBooks.rejected, (state, { error }) => {
        state.loading = false
        state.error = error.message ?? null
      }),
})
const store = configureStore({ reducer: slice.reducer })

function Empty() {
  const dispatch = useDispatch<typeof store.dispatch>()
  const count = useSelector((state: State) => state.book.length)
  const navigate = useNavigate()
  return (
    <>
      <Link to="/form">{count}</Link>
      <button type="button" onClick={() => void dispatch(fetchBooks())} />
      <button type="button" onClick={() => void navigate('/')} />
    </>
  )
}

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <Provider store={store}>
      <BrowserRouter>
        <Routes>
          <Route path="/" element={<Empty />} />
          <Route path="/signin" element={<Empty />} />
          <Route path="/form" element={<Empty />} />
          <Route path="*" element={<Navigate to="/" replace />} />
        </Routes>
      </BrowserRouter>
    </Provider>
  </StrictMode>,
)
